//! Placeholders, which SDF has as defaults of required texts: `__default__`, `__default_topic__`. Many files contain them,
//! because programs that write SDF write the defaults too. They mean that nothing is given.

use crate::document::Element;
use crate::element::is_placeholder;
use bridgehead_params::Params;

/// Returns a `<sensor>` as parameters, without the elements inside whose text is a placeholder.
pub(super) fn params_of_sensor(element: Element<'_>) -> Params {
    params_without(element, is_placeholder)
}

/// Returns a `<plugin>` as parameters, without the elements inside whose text is a default of SDF. Other reserved names
/// mean something to a plugin: `__model__` is the model that has it.
pub(super) fn params_of_plugin(element: Element<'_>) -> Params {
    params_without(element, |text| is_placeholder(text) && text.trim().starts_with("__default"))
}

fn params_without(element: Element<'_>, is_left_out: fn(&str) -> bool) -> Params {
    let mut params = element.params();
    remove(&mut params, is_left_out);
    params
}

/// Recursion is bounded by the depth limit of the parser.
fn remove(params: &mut Params, is_left_out: fn(&str) -> bool) {
    params.retain_children(|child| {
        remove(child, is_left_out);
        !is_left_out(child.text())
    });
}

#[cfg(test)]
mod tests {
    use crate::element::Link;
    use crate::parse_str;

    /// The link of a model with these elements in a sensor and a plugin.
    fn read(sensor: &str, plugin: &str) -> (Link, Vec<String>) {
        let text = format!(
            "<sdf version='1.6'><model name='m'>{plugin}<link name='l'><sensor name='s' type='imu'>{sensor}</sensor>\
             </link></model></sdf>"
        );
        let loaded = parse_str("m.sdf", &text).expect("a model");
        let crate::Root::Model(model) = &loaded.root else { panic!("a model") };
        let plugins = model.plugins.iter().map(|plugin| plugin.filename.clone()).collect();
        (model.links[0].clone(), plugins)
    }

    /// The placeholders of all versions of SDF, with whitespace around them, in each place for a name.
    #[test]
    fn a_placeholder_means_that_nothing_is_given() {
        for name in ["__default__", "__default_topic__", "__default_frame__", "__model__"] {
            for text in [name.to_owned(), format!("\n  {name} ")] {
                let element = |at: &str| format!("<{at}>{text}</{at}>");
                let inside = format!(
                    "{}{}<contact>{}<collision>c</collision></contact>",
                    element("topic"),
                    element("gz_frame_id"),
                    element("topic")
                );
                let (link, _) = read(&inside, "");
                let sensor = &link.sensors[0];
                assert_eq!((&sensor.topic, &sensor.frame), (&None, &None), "{text}");
                assert_eq!(sensor.params.count("topic"), 0, "{text}");
                assert_eq!(sensor.params.count("contact/topic"), 0, "{text}");
                assert_eq!(sensor.params.get("contact/collision"), Some("c"), "{text}");
            }
            for (filename, plugin_name) in [(name, "a"), ("libfoo.so", name), (name, name)] {
                let both = format!(
                    "<plugin filename='{filename}' name='{plugin_name}'/><plugin filename='libbar.so' name='b'/>"
                );
                assert_eq!(read("", &both).1, ["libbar.so"], "{filename} {plugin_name}");
            }
        }
    }

    /// Gazebo's DetachableJoint takes `__model__` for the model that has the plugin.
    #[test]
    fn a_plugin_sees_reserved_names_that_are_not_defaults() {
        let text = "<sdf version='1.9'><model name='m'><link name='l'/><plugin filename='a' name='a'>\
                    <child_model>__model__</child_model><topic>__default_topic__</topic></plugin></model></sdf>";
        let loaded = parse_str("m.sdf", text).expect("a model");
        let crate::Root::Model(model) = &loaded.root else { panic!("a model") };
        let params = &model.plugins[0].params;
        assert_eq!((params.get("child_model"), params.get("topic")), (Some("__model__"), None));
    }

    #[test]
    fn names_that_only_look_like_placeholders_are_names() {
        for name in ["_default_", "__", "____", "__a", "a__", "scan__default__", "default"] {
            let (link, _) = read(&format!("<topic>{name}</topic><frame_id>{name}</frame_id>"), "");
            let sensor = &link.sensors[0];
            assert_eq!((sensor.topic.as_deref(), sensor.frame.as_deref()), (Some(name), Some(name)));
        }
    }

    /// The elements of each version for the frame of messages; the one of the standard comes first.
    #[test]
    fn the_frame_of_messages_has_three_elements() {
        let all = ["frame_id", "gz_frame_id", "ignition_frame_id"];
        let of = |names: &[&str]| {
            let elements: String = names.iter().map(|name| format!("<{name}>of {name}</{name}>")).collect();
            read(&elements, "").0.sensors[0].frame.clone()
        };
        for (at, name) in all.iter().enumerate() {
            assert_eq!(of(&[name]), Some(format!("of {name}")));
            let others: Vec<&str> = all[at..].iter().rev().copied().collect();
            assert_eq!(of(&others), Some(format!("of {name}")));
        }
        assert_eq!(of(&[]), None);
        assert_eq!(
            read("<frame_id/><gz_frame_id> base </gz_frame_id>", "").0.sensors[0].frame.as_deref(),
            Some("base")
        );
    }
}
