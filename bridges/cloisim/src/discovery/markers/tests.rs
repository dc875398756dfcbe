//! Markers as clients send them.

use serde_json::json;

use super::*;

fn ask(markers: &mut Markers, text: &str) -> Value {
    serde_json::from_str(&markers.respond(text)).expect("JSON")
}

const LINE: &str = "{'group':'a','id':1,'type':'Line','color':'Red','line':{'size':0.1}}";

#[test]
fn markers_are_kept_changed_listed_and_removed() {
    let mut markers = Markers::default();
    let add = format!("{{'command':'Add','markers':[{LINE},{{'group':'a','id':2,'type':'box'}}]}}");
    assert_eq!(ask(&mut markers, &add)["result"], "Ok");
    assert_eq!(markers.0.len(), 2);
    assert!(ask(&mut markers, &add)["result"].as_str().expect("a text").contains("already exists"));
    let modify = "{'command':'Modify','markers':[{'group':'a','id':1,'type':'Line','color':'Blue'}]}";
    assert_eq!(ask(&mut markers, modify)["result"], "Ok");
    let list = ask(&mut markers, "{'command':'List','filter':{'group':'a','id':1}}");
    assert_eq!(list["lines"][0]["color"], "Blue");
    assert_eq!(list["lines"][0]["line"]["size"], 0.1);
    assert_eq!(list["boxes"], json!([]));
    assert_eq!(ask(&mut markers, "{'command':'Remove','filter':{'type':'Box'}}")["result"], "Ok");
    assert_eq!(
        ask(&mut markers, "{'command':'Remove','filter':{'type':'Box'}}")["result"],
        "no such marker exists"
    );
    markers.clear();
    assert_eq!(ask(&mut markers, "{'command':'List'}")["lines"], json!([]));
}

#[test]
fn an_invalid_request_changes_nothing() {
    let mut markers = Markers::default();
    let cases = [
        ("{", "invalid json"),
        ("{}", "command is empty"),
        ("{'command':'Draw'}", "unsupported command 'Draw'"),
        ("{'command':'Add'}", "is not a list"),
        ("{'command':'Add','markers':[{'type':'Line'}]}", "no integer in its field `id`"),
        ("{'command':'Add','markers':[{'id':1,'type':'Cone'}]}", "`Cone` is not a marker type"),
        ("{'command':'Modify','markers':[{'id':1,'type':'Line'}]}", "does not exist"),
    ];
    for (text, part) in cases {
        let answer = ask(&mut markers, text);
        assert!(answer["result"].as_str().expect("a text").contains(part), "{answer}");
        assert_eq!(markers.0.len(), 0);
    }
}
