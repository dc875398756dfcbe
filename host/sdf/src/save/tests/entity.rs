//! Entity properties of models, saved.

use super::*;

#[test]
fn entity_properties_are_saved_in_the_model_element() {
    let info = element::EntityInfo {
        category: element::Category::Robot,
        description: "a <fast> & \"red\" one".into(),
        tags: vec!["t1".into(), "t 2".into()],
    };
    let set = |text: &str, info: &element::EntityInfo| {
        let loaded = parse_str("yard.sdf", text).expect("loads");
        let change = Change::SetInfo { model: "bare".into(), info: info.clone() };
        save(&loaded, &[change], &InMemory::new(), &SearchPath::default()).expect("saved").text
    };
    let text = set(WORLD, &info);
    assert!(text.contains("xmlns:bridgehead"), "{text}");
    let known = |text: &str| {
        let loaded = parse_str("yard.sdf", text).expect("loads");
        loaded.world.models.iter().find(|model| model.name == "bare").expect("there").entity.clone()
    };
    assert_eq!(known(&text), element::Entity { info, namespace: String::new() });
    let spaced = text.replace("category=\"robot\"", "category=\"robot\" namespace=\"fleet\"");
    let plain = element::EntityInfo::default();
    let again = set(&spaced, &plain);
    assert_eq!(known(&again), element::Entity { info: plain, namespace: "fleet".into() });
}
