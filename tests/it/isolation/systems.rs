//! A world with every counterpart of a system of Gazebo that applies forces, and commands for it.

/// A boat, a kite, a quadcopter, a crate on a track, and a wheel.
pub(super) const WORLD: &str = "<sdf version='1.11'><world name='bay'><wind><linear_velocity>1 0 0</linear_velocity></wind>
    <plugin filename='buoyancy' name='water'><graded_buoyancy><default_density>1000</default_density>
      <density_change><above_depth>0</above_depth><density>0</density></density_change></graded_buoyancy><enable>boat</enable></plugin>
    <plugin filename='wind_effects' name='wind'/>
    <plugin filename='apply_link_wrench' name='wrenches'><persistent><entity_name>kite</entity_name>
      <entity_type>model</entity_type><force>0 0 0.1</force></persistent></plugin>
    <plugin filename='perfect_comms' name='broker'/><plugin filename='rf_comms' name='other_broker'/>
    <plugin filename='acoustic_comms' name='sound'/>
    <plugin filename='triggered_publisher' name='lift_off'><input type='std_msgs/msg/Int32' topic='/shaft/cmd'/>
      <service name='/set_entity_state' reqType='simulation_interfaces/srv/SetEntityState_Request'
        reqMsg='entity: &quot;barge&quot; set_pose: true state { pose { position { x: 20 z: 30 } } }'/></plugin>
    <model name='ground'><static>true</static><pose>0 50 0 0 0 0</pose><link name='l'><collision name='c'><geometry>
      <box><size>60 60 0.2</size></box></geometry></collision></link></model>
    <model name='boat'><pose>0 0 0.1 0.1 0 0</pose><link name='hull'><inertial><mass>200</mass><inertia><ixx>20</ixx>
      <iyy>60</iyy><izz>70</izz></inertia></inertial><collision name='c'><geometry><box><size>2 1 0.5</size></box></geometry>
      </collision></link><link name='screw'><pose>-1.1 0 0 0 0 0</pose></link>
      <joint name='shaft' type='continuous'><parent>hull</parent><child>screw</child><axis><xyz>1 0 0</xyz></axis></joint>
      <plugin filename='thruster' name='motor'><joint_name>shaft</joint_name><propeller_diameter>0.2</propeller_diameter></plugin>
      <plugin filename='hydrodynamics' name='drag'><link_name>hull</link_name><xDotU>-50</xDotU><xUabsU>-50</xUabsU>
        <zW>-500</zW><kP>-50</kP></plugin>
      <plugin filename='odometry_publisher' name='odometry'/>
      <plugin filename='buoyancy_engine' name='bladder'><link_name>hull</link_name></plugin>
      <plugin filename='kinetic_energy' name='energy'><link_name>hull</link_name>
        <kinetic_energy_threshold>0.001</kinetic_energy_threshold></plugin>
      <plugin filename='comms_endpoint' name='radio'><address>boat</address><topic>rx</topic></plugin></model>
    <model name='kite'><enable_wind>true</enable_wind><pose>0 10 20 0 0 0</pose><link name='sail'/>
      <plugin filename='lift_drag' name='wing'><link_name>sail</link_name><a0>0.2</a0></plugin>
      <plugin filename='advanced_lift_drag' name='plane'><link_name>sail</link_name><AR>6</AR><eff>0.9</eff><CLa>2</CLa>
        </plugin></model>
    <model name='copter'><pose>0 -10 20 0 0 0</pose><link name='base'/>ROTORS
      <plugin filename='multicopter_control' name='control'><comLinkName>base</comLinkName><velocityGain>3 3 3</velocityGain>
        <attitudeGain>2 2 1</attitudeGain><angularRateGain>1 1 1</angularRateGain><rotorConfiguration>CONFIGURATION
        </rotorConfiguration></plugin></model>
    <model name='tank'><pose>0 40 0.3 0 0 0</pose><link name='belt'><collision name='c'><geometry><box><size>1 1 0.4</size>
      </box></geometry></collision></link>
      <plugin filename='track_controller' name='track'><link>belt</link></plugin>
      <plugin filename='tracked_vehicle' name='drive'><left_track><link>belt</link></left_track>
        <right_track><link>belt</link></right_track><tracks_separation>1</tracks_separation></plugin></model>
    <model name='cart'><pose>5 40 0.4 0 0 0</pose><link name='frame'/>WHEELS
      <plugin filename='mecanum_drive' name='drive'><wheel_radius>0.3</wheel_radius>
        <front_left_joint>j0</front_left_joint><front_right_joint>j1</front_right_joint>
        <back_left_joint>j2</back_left_joint><back_right_joint>j3</back_right_joint></plugin>
      <plugin filename='wheel_slip' name='slip'><wheel link_name='w0'>
        <slip_compliance_lateral>0.1</slip_compliance_lateral>
        <wheel_normal_force>10</wheel_normal_force><wheel_radius>0.3</wheel_radius></wheel></plugin></model>
    <model name='door'><pose>0 0 9 0 0 0</pose><link name='door'/><joint name='hinge' type='continuous'><parent>world</parent>
      <child>door</child><axis><xyz>0 0 1</xyz></axis></joint>
      <plugin filename='apply_joint_force' name='push'><joint_name>hinge</joint_name></plugin></model>
    <model name='barge'><pose>20 0 5 0 0 0</pose><link name='hull'><gravity>false</gravity></link>
      <plugin filename='trajectory_follower' name='way'><link_name>hull</link_name><force>2</force><torque>1</torque>
        <line><direction>0</direction><length>3</length></line></plugin></model>
    <model name='tower'><static>true</static><pose>30 0 0 0 0 0</pose><model name='EV'><link name='deck'><collision name='c'>
      <geometry><box><size>1 1 0.1</size></box></geometry></collision></link></model>
      <plugin filename='elevator_system' name='lifts'><elevator prefix_name='EV'/>
        <floors><floor><name>1F</name><height>0</height></floor><floor><name>2F</name><height>2</height></floor></floors></plugin></model>
    <model name='shaft'><pose>40 0 0 0 0 0</pose><link name='floor_0'/><joint name='f' type='fixed'><parent>world</parent>
      <child>floor_0</child></joint><link name='leaf'/><joint name='door_0' type='prismatic'><parent>world</parent>
      <child>leaf</child><axis><xyz>0 1 0</xyz><limit><lower>0</lower><upper>0.5</upper></limit></axis></joint>
      <link name='cabin'/><joint name='lift' type='prismatic'><parent>world</parent><child>cabin</child><axis><xyz>0 0 1</xyz>
      <limit><lower>0</lower><upper>0.5</upper></limit></axis></joint><plugin filename='elevator' name='lift'/></model>
    <actor name='anna'><pose>-20 0 0 0 0 0</pose><link name='body'><collision name='c'><geometry><box><size>0.4 0.4 2</size></box>
      </geometry></collision></link><plugin filename='actor' name='walk'><default><motion>random</motion></default></plugin></actor>
    </world></sdf>";

/// The world with its four rotors and four wheels.
pub(super) fn world() -> String {
    let corners = [(0.3, 0.3), (-0.3, -0.3), (-0.3, 0.3), (0.3, -0.3)];
    let mut parts = [String::new(), String::new(), String::new()];
    for (index, (x, y)) in corners.into_iter().enumerate() {
        let sign = if index < 2 { 1 } else { -1 };
        let word = if index < 2 { "ccw" } else { "cw" };
        parts[0] += &format!(
            "<link name='r{index}'><pose>{x} {y} 0 0 0 0</pose><inertial><mass>0.01</mass><inertia><ixx>1e-4</ixx>
             <iyy>1e-4</iyy><izz>1e-4</izz></inertia></inertial></link>
             <joint name='s{index}' type='continuous'><parent>base</parent><child>r{index}</child><axis><xyz>0 0 1</xyz></axis></joint>
             <plugin filename='multicopter_motor' name='motor{index}'><jointName>s{index}</jointName><linkName>r{index}</linkName>
             <turningDirection>{word}</turningDirection><actuator_number>{index}</actuator_number>
             <commandSubTopic>gazebo/command/motor_speed</commandSubTopic></plugin>"
        );
        parts[1] += &format!("<rotor><jointName>s{index}</jointName><direction>{sign}</direction></rotor>");
        parts[2] += &format!(
            "<link name='w{index}'><pose>{x} {y} 0 -1.5708 0 0</pose><collision name='c'><geometry><sphere><radius>0.3</radius>
             </sphere></geometry></collision></link><joint name='j{index}' type='continuous'><parent>frame</parent>
             <child>w{index}</child><axis><xyz>0 0 1</xyz></axis></joint>"
        );
    }
    let text = WORLD.replace("ROTORS", &parts[0]).replace("CONFIGURATION", &parts[1]);
    text.replace("WHEELS", &parts[2])
}

/// Everything is set in motion in the first step.
pub(super) const COMMANDS: &str = r#"{"topic":"/boat/joint/shaft/cmd_thrust","step":1,"message":{"data":50}}
{"topic":"/copter/cmd_vel","step":1,"message":{"linear":{"x":1}}}
{"topic":"/tank/cmd_vel","step":1,"message":{"linear":{"x":1}}}
{"topic":"/cart/cmd_vel","step":1,"message":{"linear":{"x":1,"y":0.2}}}
{"topic":"/boat/buoyancy_engine","step":1,"message":{"data":0.0005}}
{"topic":"/tower/elevators/command","step":1,"message":{"service":"call_elevator","current_floor":"2F","target_floor":"1F"}}
{"topic":"/shaft/cmd","step":1,"message":{"data":0}}
{"topic":"/door/joint/hinge/cmd_force","step":1,"message":{"data":1}}
"#;
