//! The content of `<gazebo>`.

use super::{MASS, convert, joint, link};
use crate::diagnostic::Code;

const SPHERE: &str = "<geometry><sphere radius=\"1\"/></geometry>";

/// A link with a visual and a collision, and its `<gazebo>` settings.
fn with(inside: &str) -> String {
    format!(
        "<link name=\"a\">{MASS}<visual>{SPHERE}</visual><collision>{SPHERE}</collision></link>\
         <gazebo reference=\"a\">{inside}</gazebo>"
    )
}

#[test]
fn settings_of_links_go_where_sdf_has_them() {
    let converted = convert(&with(
        "<mu1>0.9</mu1><mu2 value=\"0.8\"/><fdir1>1 0 0</fdir1><kp>1e6</kp><kd>10</kd><maxVel>0.1</maxVel>\
         <minDepth>0.001</minDepth><maxContacts>8</maxContacts><laserRetro>5</laserRetro>\
         <selfCollide>true</selfCollide><turnGravityOff>true</turnGravityOff><dampingFactor>0.02</dampingFactor>\
         <material>Gazebo/Blue</material>",
    ));
    converted.holds(
        "<max_contacts>8</max_contacts><laser_retro>5</laser_retro><surface>\
         <friction><ode><mu>0.9</mu><mu2>0.8</mu2><fdir1>1 0 0</fdir1></ode></friction>\
         <contact><ode><kp>1000000</kp><kd>10</kd><max_vel>0.1</max_vel><min_depth>0.001</min_depth></ode></contact>\
         </surface>",
    );
    converted.holds("<self_collide>true</self_collide><gravity>false</gravity>");
    converted.holds("<velocity_decay><linear>0.02</linear><angular>0.02</angular></velocity_decay>");
    converted.holds("<name>Gazebo/Blue</name>");
    assert_eq!(converted.findings, []);
}

#[test]
fn the_last_setting_counts() {
    let converted =
        convert(&format!("{}<gazebo reference=\"a\"><mu1>0.3</mu1></gazebo>", with("<mu1>0.9</mu1>")));
    converted.holds("<friction><ode><mu>0.3</mu></ode></friction>");
}

#[test]
fn whole_elements_are_copied_into_collisions_and_visuals() {
    let converted = convert(&with(
        "<collision><surface><bounce/></surface></collision><visual><material><diffuse>1 0 0 1</diffuse></material></visual>\
         <mu1>1</mu1>",
    ));
    converted.holds("<surface><bounce/></surface></collision>");
    converted.holds("<material><diffuse>1 0 0 1</diffuse></material></visual>");
    converted.lacks("<mu>");
    assert_eq!(converted.codes(), [Code::UrdfExtensionLost]);
}

#[test]
fn sensors_are_copied_into_their_link() {
    let sensor = "<sensor name=\"s\" type=\"imu\"><pose>0 0 1 0 0 0</pose><!-- kept --><imu/></sensor>";
    let converted = convert(&with(sensor));
    converted.holds(sensor);
    assert_eq!(converted.findings, []);
}

#[test]
fn sensors_of_a_frame_stand_relative_to_it() {
    let cases = [
        (
            "<sensor name=\"s\"><pose>0 0 1 0 0 0</pose></sensor>",
            "<sensor name=\"s\"><pose relative_to=\"eye\">0 0 1 0 0 0</pose></sensor>",
        ),
        (
            "<sensor name=\"s\"><pose relative_to=\"a\">0 0 1 0 0 0</pose></sensor>",
            "<pose relative_to=\"a\">0 0 1",
        ),
        ("<sensor name=\"s\"><x/></sensor>", "<sensor name=\"s\"><x/><pose relative_to=\"eye\"/></sensor>"),
        ("<light name=\"s\" />", "<light name=\"s\" ><pose relative_to=\"eye\"/></light>"),
    ];
    for (urdf, sdf) in cases {
        let converted = convert(&format!(
            "{}<link name=\"eye\"/>{}<gazebo reference=\"eye\">{urdf}</gazebo>",
            link("a"),
            joint("j", "fixed", "a", "eye", "")
        ));
        converted.holds(sdf);
        assert_eq!(converted.codes(), [Code::UrdfFolded]);
    }
}

#[test]
fn settings_of_a_frame_are_named() {
    let converted = convert(&format!(
        "{}<link name=\"eye\"/>{}\
         <gazebo reference=\"eye\"><gravity>0</gravity><audio_sink/><mu1>1</mu1></gazebo>\
         <gazebo reference=\"j\"><sensor name=\"s\" type=\"force_torque\"/></gazebo>",
        link("a"),
        joint("j", "fixed", "a", "eye", "")
    ));
    let mut codes = converted.codes();
    codes.sort_unstable();
    let lost = Code::UrdfExtensionLost;
    assert_eq!(codes, [Code::UrdfFolded, lost, lost, lost, lost]);
}

#[test]
fn settings_of_joints_go_where_sdf_has_them() {
    let converted = convert(&format!(
        "{}{}{}<gazebo reference=\"j\"><springStiffness>3</springStiffness><springReference>0.1</springReference>\
         <stopCfm>0.2</stopCfm><stopErp>0.3</stopErp><provideFeedback>1</provideFeedback>\
         <implicitSpringDamper>true</implicitSpringDamper><sensor name=\"ft\" type=\"force_torque\"/></gazebo>",
        link("a"),
        link("b"),
        joint("j", "continuous", "a", "b", "")
    ));
    converted.holds(
        "<dynamics><spring_stiffness>3</spring_stiffness><spring_reference>0.1</spring_reference></dynamics>",
    );
    converted.holds(
        "<physics><provide_feedback>true</provide_feedback><ode><implicit_spring_damper>true</implicit_spring_damper>\
         <limit><cfm>0.2</cfm><erp>0.3</erp></limit></ode></physics><sensor name=\"ft\" type=\"force_torque\"/></joint>",
    );
    assert_eq!(converted.findings, []);
}

#[test]
fn fixed_joints_stay_whatever_is_said_about_them() {
    for word in ["preserveFixedJoint", "disableFixedJointLumping"] {
        for flag in ["true", "false"] {
            let converted = convert(&format!(
                "{}{}{}<gazebo reference=\"j\"><{word}>{flag}</{word}></gazebo>",
                link("a"),
                link("b"),
                joint("j", "fixed", "a", "b", "")
            ));
            converted.holds("<joint name=\"j\" type=\"fixed\">");
            assert_eq!(converted.findings, []);
        }
    }
}

#[test]
fn plugins_are_copied_into_the_model() {
    let plugin = "<plugin name=\"p\" filename=\"libp.so\"><topic a=\"&lt;\">x &amp; y</topic></plugin>";
    let converted = convert(&format!(
        "{}<gazebo>{plugin}<static>1</static><self_collide>true</self_collide></gazebo>",
        link("a")
    ));
    converted.holds(&format!("{plugin}<self_collide>true</self_collide></model>"));
    converted.holds("<static>true</static>");
    assert_eq!(converted.findings, []);
}

#[test]
fn references_and_values_are_checked() {
    let converted = convert(&format!(
        "{}<gazebo reference=\"b\"><mu1>1</mu1></gazebo>",
        with("<mu1>slippery</mu1><kp>-1</kp><selfCollide>maybe</selfCollide><fdir1>1 0</fdir1>")
    ));
    let mut codes = converted.codes();
    codes.sort_unstable();
    assert_eq!(
        codes,
        [
            Code::ValueInvalid,
            Code::ValueInvalid,
            Code::ValueInvalid,
            Code::ValueInvalid,
            Code::UrdfReferenceUnknown
        ]
    );
    converted.lacks("<surface>");
}
