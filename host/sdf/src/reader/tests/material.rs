//! Materials.

use super::{codes, link};
use crate::Diagnostic;
use crate::diagnostic::{Code, Severity};
use crate::element::{Material, Pbr, Rgba, Script, Texture, Visual, Workflow};
use proptest::prelude::*;

fn visual(content: &str) -> (Visual, Vec<Diagnostic>) {
    let (mut link, diagnostics) =
        link(&format!("<visual name='v'><geometry><empty/></geometry>{content}</visual>"));
    (link.visuals.remove(0), diagnostics)
}

fn material(content: &str) -> (Material, Vec<Diagnostic>) {
    let (visual, diagnostics) = visual(&format!("<material>{content}</material>"));
    (visual.material.expect("a material"), diagnostics)
}

fn pbr(content: &str) -> (Pbr, Vec<Diagnostic>) {
    let (material, diagnostics) = material(&format!("<pbr>{content}</pbr>"));
    (material.pbr.expect("a physically based material"), diagnostics)
}

/// A texture that no file is found for.
fn lost(uri: &str) -> Option<Texture> {
    Some(Texture { uri: uri.to_owned(), path: None })
}

#[test]
fn a_visual_without_a_material_has_none_and_an_empty_one_has_the_defaults() {
    assert_eq!(visual("").0.material, None);
    let (read, diagnostics) = material("");
    assert_eq!(diagnostics, []);
    let expected = Material {
        ambient: None,
        diffuse: None,
        specular: None,
        emissive: None,
        shininess: 0.0,
        double_sided: false,
        is_lit: true,
        render_order: 0.0,
        script: None,
        pbr: None,
    };
    assert_eq!(read, expected);
    assert_eq!(read, Material::new());
}

#[test]
fn every_value_of_a_material_is_read() {
    let (read, diagnostics) = material(
        "<ambient>0 0 1 0.5</ambient><diffuse>1 0 0</diffuse><specular>0.1 0.2 0.3 1</specular>
         <emissive>0 1 0 1</emissive><shininess>20</shininess><double_sided>1</double_sided>
         <lighting>false</lighting><render_order>-2.5</render_order>
         <script><uri>file://a.material</uri><uri>file://textures</uri><name>Gazebo/Red</name></script>",
    );
    assert_eq!(diagnostics, []);
    let script = Script {
        name: "Gazebo/Red".to_owned(),
        uris: vec!["file://a.material".to_owned(), "file://textures".to_owned()],
    };
    let expected = Material {
        ambient: Some([0.0, 0.0, 1.0, 0.5]),
        diffuse: Some([1.0, 0.0, 0.0, 1.0]),
        specular: Some([0.1, 0.2, 0.3, 1.0]),
        emissive: Some([0.0, 1.0, 0.0, 1.0]),
        shininess: 20.0,
        double_sided: true,
        is_lit: false,
        render_order: -2.5,
        script: Some(script),
        pbr: None,
    };
    assert_eq!(read, expected);
}

#[test]
fn a_script_without_a_name_is_reported() {
    for script in ["<script/>", "<script><uri>a</uri><name>__default__</name></script>"] {
        let (read, diagnostics) = material(script);
        assert_eq!(codes(&diagnostics), [Code::ElementMissing], "{script}");
        assert_eq!(diagnostics[0].severity, Severity::Warning);
        assert_eq!(read.script.expect("a script").name, "");
    }
    let (read, _) = material("<script><uri>__default__</uri><uri/><name>n</name></script>");
    assert_eq!(read.script, Some(Script { name: "n".to_owned(), uris: Vec::new() }));
}

#[test]
fn every_value_of_the_metal_workflow_is_read() {
    let (read, mut diagnostics) =
        pbr("<metal><albedo_map>a</albedo_map><normal_map type='object'>n</normal_map>
         <ambient_occlusion_map>o</ambient_occlusion_map><environment_map>e</environment_map>
         <emissive_map>m</emissive_map><light_map uv_set='1u'>l</light_map><roughness>0.25</roughness>
         <roughness_map>r</roughness_map><metalness>1</metalness><metalness_map>t</metalness_map></metal>");
    diagnostics.retain(|finding| finding.code != Code::TextureNotFound);
    assert_eq!(diagnostics, []);
    let workflow = Workflow::Metal {
        roughness: 0.25,
        metalness: 1.0,
        roughness_map: lost("r"),
        metalness_map: lost("t"),
    };
    let expected = Pbr {
        workflow,
        albedo: lost("a"),
        normal: lost("n"),
        normal_in_object_space: true,
        ambient_occlusion: lost("o"),
        environment: lost("e"),
        emissive: lost("m"),
        light: lost("l"),
        light_uv_set: 1,
    };
    assert_eq!(read, expected);
}

#[test]
fn every_value_of_the_specular_workflow_is_read() {
    let (read, mut diagnostics) = pbr(
        "<specular><albedo_map>a</albedo_map><normal_map type='tangent'>n</normal_map><light_map>l</light_map>
         <glossiness>0.75</glossiness><glossiness_map>g</glossiness_map><specular_map>s</specular_map></specular>",
    );
    diagnostics.retain(|finding| finding.code != Code::TextureNotFound);
    assert_eq!(diagnostics, []);
    let workflow =
        Workflow::Specular { glossiness: 0.75, glossiness_map: lost("g"), specular_map: lost("s") };
    assert_eq!(read.workflow, workflow);
    assert_eq!((read.albedo, read.normal, read.light), (lost("a"), lost("n"), lost("l")));
    assert!(!read.normal_in_object_space && read.light_uv_set == 0);
}

#[test]
fn empty_workflows_have_the_defaults_of_sdf() {
    let (metal, diagnostics) = pbr("<metal><albedo_map/></metal>");
    let workflow =
        Workflow::Metal { roughness: 0.5, metalness: 0.5, roughness_map: None, metalness_map: None };
    assert_eq!((metal.workflow, metal.albedo, diagnostics), (workflow, None, Vec::new()));
    let (specular, diagnostics) = pbr("<specular/>");
    let workflow = Workflow::Specular { glossiness: 0.0, glossiness_map: None, specular_map: None };
    assert_eq!((specular.workflow, diagnostics), (workflow, Vec::new()));
    assert_eq!(material("<pbr/>").0.pbr, None);
}

#[test]
fn the_metal_workflow_is_used_if_there_are_both_and_a_note_says_so() {
    let both = "<specular><glossiness>0.3</glossiness></specular><metal><metalness>1</metalness></metal>";
    let (read, diagnostics) = pbr(both);
    assert!(matches!(read.workflow, Workflow::Metal { metalness: 1.0, .. }), "{:?}", read.workflow);
    let said: Vec<_> = diagnostics.iter().map(|finding| (finding.severity, finding.found.as_str())).collect();
    let note = "`<specular>` beside `<metal>` is kept, not simulated (reported once): `<metal>` is used";
    assert_eq!(said, [(Severity::Note, note)]);
}

#[test]
fn invalid_values_of_a_material_are_reported_and_replaced_by_defaults() {
    for wrong in [
        "<diffuse>1 0</diffuse>",
        "<diffuse>1 0 0 1 1</diffuse>",
        "<diffuse>red</diffuse>",
        "<ambient>-0.1 0 0 1</ambient>",
        "<specular>nan 0 0 1</specular>",
        "<emissive>inf 0 0 1</emissive>",
        "<emissive/>",
        "<shininess>-1</shininess>",
        "<shininess>bright</shininess>",
        "<double_sided>perhaps</double_sided>",
        "<lighting>2</lighting>",
        "<render_order>nan</render_order>",
    ] {
        let (read, diagnostics) = material(wrong);
        assert_eq!(codes(&diagnostics), [Code::ValueInvalid], "{wrong}");
        assert_eq!(read, Material::new(), "{wrong}");
    }
    for wrong in [
        "<metal><roughness>1.5</roughness></metal>",
        "<metal><roughness>rough</roughness></metal>",
        "<metal><metalness>-1</metalness></metal>",
        "<metal><metalness>nan</metalness></metal>",
        "<metal><normal_map type='world'/></metal>",
        "<metal><light_map uv_set='-1'/></metal>",
        "<metal><light_map uv_set='u'/></metal>",
        "<metal><light_map uv_set='1.5'/></metal>",
    ] {
        let (read, diagnostics) = pbr(wrong);
        assert_eq!(codes(&diagnostics), [Code::ValueInvalid], "{wrong}");
        assert_eq!(read, pbr("<metal/>").0, "{wrong}");
    }
}

#[test]
fn a_reflectivity_is_read() {
    let (read, diagnostics) = visual("<laser_retro>120.5</laser_retro>");
    assert_eq!((read.laser_retro, diagnostics), (120.5, Vec::new()));
    let (read, diagnostics) = visual("<laser_retro>shiny</laser_retro>");
    assert_eq!((read.laser_retro, codes(&diagnostics)), (0.0, vec![Code::ValueInvalid]));
}

#[test]
fn unknown_children_of_materials_are_named() {
    let (_, diagnostics) = material(
        "<diffused/><shader type='pixel'/><script><name>n</name><loop/></script><pbr><metal><glow/></metal><wood/></pbr>",
    );
    let found: Vec<_> = diagnostics.iter().map(|finding| finding.found.as_str()).collect();
    let unknown = |child: &str, parent: &str| {
        format!("`<{child}>` in `<{parent}>` is not known here; it is kept, not simulated (reported once)")
    };
    assert_eq!(
        found,
        [
            unknown("diffused", "material").as_str(),
            "`<shader>` in `<material>` is kept, not simulated (reported once)",
            &unknown("loop", "script"),
            &unknown("wood", "pbr"),
            &unknown("glow", "metal"),
        ]
    );
}

proptest! {
    #[test]
    fn any_colour_is_read_as_written(parts in prop::array::uniform4(0.0f32..=1.0)) {
        let [red, green, blue, alpha] = parts;
        let (read, diagnostics) = material(&format!("<diffuse>{red} {green} {blue} {alpha}</diffuse>"));
        prop_assert_eq!(diagnostics, []);
        prop_assert_eq!(read.diffuse, Some::<Rgba>(parts));
    }

    #[test]
    fn any_text_is_a_value_or_a_finding(text in "[-+0-9.einfa ]{0,12}") {
        let content = format!(
            "<diffuse>{text}</diffuse><shininess>{text}</shininess><pbr><metal><roughness>{text}</roughness></metal></pbr>"
        );
        let (read, diagnostics) = material(&content);
        prop_assert!(codes(&diagnostics).iter().all(|code| *code == Code::ValueInvalid));
        let colours = read.diffuse.unwrap_or_default();
        prop_assert!(colours.iter().all(|part| (0.0..=1.0).contains(part)));
        prop_assert!(read.shininess >= 0.0 && read.shininess.is_finite());
        let workflow = read.pbr.map(|pbr| pbr.workflow);
        let is_fraction = matches!(workflow, Some(Workflow::Metal { roughness, .. }) if (0.0..=1.0).contains(&roughness));
        prop_assert!(is_fraction);
    }
}
