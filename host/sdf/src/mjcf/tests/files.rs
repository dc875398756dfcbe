//! Files: includes, limits, and MJCF in worlds of SDF.

use super::{BALL, clean, found, included, load};
use crate::limits::Limit;
use crate::mjcf::{Purpose, convert};
use crate::{Budget, Code, Document, InMemory, SearchPath, Source, load_with, parse_str};

fn main_with(inside: &str) -> InMemory {
    InMemory::new().with("/w/main.xml", format!("<mujoco model=\"m\">{inside}</mujoco>"))
}

#[test]
fn an_include_stands_for_the_content_of_a_file() {
    let files = main_with("<include file=\"parts/robot.xml\"/>")
        .with(
            "/w/parts/robot.xml",
            "<mujocoinclude><worldbody><include file=\"parts/arm.xml\"/></worldbody></mujocoinclude>",
        )
        .with(
            "/w/parts/arm.xml",
            format!("<mujoco><body name=\"arm\">{BALL}<include file=\"more.xml\"/></body></mujoco>"),
        )
        .with("/w/parts/more.xml", "<mujocoinclude>\n<joint name=\"j\" range=\"0 x\"/></mujocoinclude>");
    let loaded = load(&files);
    let model = &loaded.world.models[0];
    assert_eq!((model.links[0].name.as_str(), model.joints[0].name.as_str()), ("arm", "j"));
    // A finding is located in the file that it is about.
    assert!(
        found(&loaded, Code::ValueInvalid)[0].contains("/w/parts/more.xml:2:1 "),
        "{:?}",
        loaded.diagnostics
    );
}

#[test]
fn includes_that_lead_nowhere_are_reported() {
    let body = format!("<worldbody><body>{BALL}</body></worldbody>");
    let files = main_with(&format!("<include file=\"none.xml\"/><include/><include file=\"main.xml\"/><include file=\"w.sdf\"/><include file=\"x.xml\"/>{body}"))
        .with("/w/w.sdf", "<sdf/>")
        .with("/w/x.xml", "<mujoco>");
    let loaded = load(&files);
    for code in [Code::UriNotFound, Code::AttributeMissing, Code::IncludeCycle, Code::NotSdf, Code::NotXml] {
        assert_eq!(found(&loaded, code).len(), 1, "{code} in {:?}", loaded.diagnostics);
    }
}

#[test]
fn an_included_mjcf_is_one_model() {
    let text =
        format!("<mujoco model=\"arm\"><worldbody><body name=\"a\">{BALL}</body></worldbody></mujoco>");
    let loaded = included(&text);
    clean(&loaded);
    assert_eq!((loaded.world.models.len(), loaded.world.models[0].name.as_str()), (1, "arm"));
    assert_eq!(loaded.world.models[0].links[0].pose.position.z, 0.0);
    // Only of the ground: a static model.
    let ground = included("<mujoco><worldbody><geom type=\"plane\"/></worldbody></mujoco>");
    assert!(ground.world.models[0].is_static);
}

#[test]
fn nesting_and_elements_are_limited_across_files() {
    let deep =
        |count: usize, inside: &str| format!("{}{inside}{}", "<body>".repeat(count), "</body>".repeat(count));
    let mut files = main_with(&format!("<worldbody>{}</worldbody>", deep(100, "<include file=\"0.xml\"/>")));
    for index in 0..5 {
        let next = format!("<include file=\"{}.xml\"/>", index + 1);
        files = files.with(format!("/w/{index}.xml"), format!("<mujoco>{}</mujoco>", deep(100, &next)));
    }
    let error = load_with(&files, "/w/main.xml".as_ref(), &SearchPath::default(), &Budget::default())
        .expect_err("a limit");
    assert_eq!(error.cause.code, Code::LimitExceeded, "{error}");
    let text = format!("<mujoco><worldbody>{}</worldbody></mujoco>", deep(100_000, ""));
    assert_eq!(parse_str("m.xml", &text).expect_err("a limit").cause.code, Code::TooDeep);
}

#[test]
fn files_that_include_each_other_twice_each_are_limited() {
    let mut files = main_with("<include file=\"0.xml\"/>");
    for index in 0..30 {
        let twice = format!("<include file=\"{}.xml\"/>", index + 1).repeat(2);
        files = files.with(format!("/w/{index}.xml"), format!("<mujoco>{twice}</mujoco>"));
    }
    let budget = Budget::default().with(Limit::Files, 200);
    let error =
        load_with(&files, "/w/main.xml".as_ref(), &SearchPath::default(), &budget).expect_err("a limit");
    assert_eq!(error.cause.code, Code::LimitExceeded, "{error}");
}

/// Bodies, constraints and findings are compared with each other by maps, not one by one.
#[test]
fn large_files_are_read_in_time_and_bad_ones_end_the_reading() {
    let bodies: String = (0..20_000)
        .map(|index| {
            format!("<body><joint name='j{index}'/><geom size='1' contype='0' conaffinity='0'/></body>")
        })
        .collect();
    let follows: String =
        (1..20_000).map(|index| format!("<joint joint1='j{index}' joint2='j0'/>")).collect();
    let drives: String = (0..20_000).map(|index| format!("<motor joint='j{index}'/>")).collect();
    let text = format!(
        "<mujoco><worldbody>{bodies}</worldbody><equality>{follows}</equality><actuator>{drives}</actuator></mujoco>"
    );
    let document = Document::parse(Source::from_text("m.xml", text)).expect("XML");
    let (sdf, _) =
        convert(&document, Purpose::World, &InMemory::new(), &Budget::default()).expect("a conversion");
    assert_eq!(sdf.matches("<mimic ").count(), 19_999);
    let wrong = format!(
        "<mujoco><worldbody><body>{BALL}{}</body></worldbody></mujoco>",
        "<geom type='x'/>".repeat(20_000)
    );
    let error = parse_str("m.xml", &wrong).expect_err("a refusal");
    assert_eq!(error.cause.code, Code::LimitExceeded, "{error}");
}
