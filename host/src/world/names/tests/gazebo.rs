//! Elements as in Gazebo's worlds, with the translated parameters.

use super::world;

#[test]
fn topics_without_a_slash_are_the_same_for_all_models() {
    let built = world(
        "<model name='car'><link name='body'/>\n\
         <plugin name='a' filename='gz-sim-diff-drive-system'><topic>cmd_vel</topic><odom_topic>/odom</odom_topic></plugin>\n\
         <plugin name='b' filename='diff_drive'><topic>cmd_vel</topic></plugin>\n\
         <plugin name='c' filename='gz-sim-joint-controller-system'><sub_topic>go</sub_topic></plugin></model>",
    );
    let text = |slot: usize, name: &str| built.slots[slot].params.get(name).map(str::to_owned);
    assert_eq!(text(0, "topic").as_deref(), Some("/cmd_vel"));
    assert_eq!(text(0, "odom_topic").as_deref(), Some("/odom"));
    assert_eq!(text(1, "topic").as_deref(), Some("cmd_vel"));
    assert_eq!(text(2, "sub_topic").as_deref(), Some("go"));
}

#[test]
fn a_drive_of_gazebo_keeps_a_command_until_the_next_one() {
    let built = world(
        "<model name='car'><link name='body'/>\n\
         <plugin name='a' filename='gz-sim-diff-drive-system'/>\n\
         <plugin name='b' filename='gz-sim-ackermann-steering-system'><command_timeout>2</command_timeout></plugin>\n\
         <plugin name='c' filename='diff_drive'/></model>",
    );
    let timeouts: Vec<_> = built.slots.iter().map(|slot| slot.params.get("command_timeout")).collect();
    assert_eq!(timeouts, [Some("0"), Some("2"), None]);
}
