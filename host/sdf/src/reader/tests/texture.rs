//! Textures: those of materials and those of heightmaps.

use super::{codes, geometry};
use crate::diagnostic::{Code, Severity};
use crate::element::{Blend, Geometry, HeightmapTexture, Texture, Visual};
use crate::{Budget, InMemory, Loaded, Root, SearchPath, load_with};

/// A model in `/m/m.sdf` with a visual for each of these albedo maps.
fn model_with_maps<'a>(maps: impl IntoIterator<Item = &'a str>) -> Loaded {
    let visuals = maps.into_iter().enumerate().map(|(number, map)| {
        format!(
            "\n<visual name='v{number}'><geometry><empty/></geometry><material><pbr><metal>\
             <albedo_map>{map}</albedo_map></metal></pbr></material></visual>"
        )
    });
    let visuals: String = visuals.collect();
    let text = format!("<sdf version='1.9'><model name='m'><link name='l'>{visuals}</link></model></sdf>");
    let files = InMemory::new()
        .with("/m/m.sdf", text)
        .with("/m/here.png", "")
        .with("/m/materials/textures/deep.png", "")
        .with("/assets/shared/wood.png", "");
    load_with(&files, "/m/m.sdf".as_ref(), &SearchPath::new(["/assets"]), &Budget::default()).expect("loaded")
}

fn paths(loaded: &Loaded) -> Vec<Option<&str>> {
    let Root::Model(model) = &loaded.root else { panic!("no model") };
    let albedo = |visual: &'_ Visual| visual.material.as_ref()?.pbr.as_ref()?.albedo.as_ref()?.path.clone();
    let found: Vec<_> = model.links[0].visuals.iter().map(albedo).collect();
    let known = ["/m/here.png", "/m/materials/textures/deep.png", "/assets/shared/wood.png"]
        .map(|path| (path, Some(path.into())));
    let named = |path: &Option<std::path::PathBuf>| {
        known.iter().find(|(_, known)| known == path).map(|(name, _)| *name)
    };
    found.iter().map(named).collect()
}

#[test]
fn textures_are_found_like_meshes() {
    let loaded = model_with_maps([
        "here.png",
        "materials/textures/deep.png",
        "./materials/../here.png",
        "model://m/here.png",
        "model://shared/wood.png",
        "file:///assets/shared/wood.png",
    ]);
    assert_eq!(loaded.diagnostics, []);
    let (here, wood) = (Some("/m/here.png"), Some("/assets/shared/wood.png"));
    assert_eq!(paths(&loaded), [here, Some("/m/materials/textures/deep.png"), here, here, wood, wood]);
}

#[test]
fn a_missing_texture_is_one_warning_with_its_place() {
    let loaded = model_with_maps(["here.png", "lost.png", "lost.png", "materials", "https://h/x.png"]);
    assert_eq!(paths(&loaded), [Some("/m/here.png"), None, None, None, None]);
    let expected = [
        "warning[BH-SDF-065] /m/m.sdf:3:70 \
         /sdf/model[@name=m]/link[@name=l]/visual[@name=v1]/material/pbr/metal/albedo_map: \
         texture `lost.png` was not found; looked for `/m/lost.png`, `/assets/lost.png`; \
         expected an image file on this machine\n  \
         try: check the spelling, or add the folder that contains it to the search path",
        "texture `materials` is a folder, `/m/materials`",
        "texture `https://h/x.png` is on the network and in no Gazebo Fuel cache",
    ];
    assert_eq!(loaded.diagnostics.len(), 3, "{:?}", loaded.diagnostics);
    for (finding, expected) in loaded.diagnostics.iter().zip(expected) {
        assert!(finding.to_string().contains(expected), "{finding}");
        assert_eq!((finding.code, finding.severity), (Code::TextureNotFound, Severity::Warning));
    }
    assert!(loaded.is_clean(), "a missing texture is no violation of the standard");
}

#[test]
fn a_missing_texture_is_reported_for_each_file_that_names_it() {
    let model = |name: &str| {
        format!(
            "<sdf version='1.9'><model name='{name}'><link name='l'><visual name='v'><geometry><empty/></geometry>
             <material><pbr><metal><albedo_map>lost.png</albedo_map></metal></pbr></material></visual></link></model></sdf>"
        )
    };
    let include = |file: &str, name: &str| format!("<include><uri>{file}</uri><name>{name}</name></include>");
    let world = format!(
        "<sdf version='1.9'><world name='w'>{}{}{}</world></sdf>",
        include("a.sdf", "a1"),
        include("a.sdf", "a2"),
        include("b.sdf", "b")
    );
    let files = InMemory::new().with("/w.sdf", world).with("/a.sdf", model("a")).with("/b.sdf", model("b"));
    let loaded = load_with(&files, "/w.sdf".as_ref(), &SearchPath::default(), &Budget::default());
    let loaded = loaded.expect("loaded");
    let places: Vec<_> = loaded
        .diagnostics
        .iter()
        .filter_map(|finding| Some(finding.location.as_ref()?.to_string()))
        .collect();
    assert_eq!(places, ["/a.sdf:2:36", "/b.sdf:2:36"]);
}

#[test]
fn a_thousand_textures_are_read_and_a_thousand_missing_ones_reported() {
    let loaded = model_with_maps(std::iter::repeat_n("here.png", 1000));
    assert_eq!(loaded.diagnostics, []);
    assert_eq!(paths(&loaded), [Some("/m/here.png"); 1000]);
    let names: Vec<String> = (0..1000).map(|number| format!("lost{number}.png")).collect();
    let loaded = model_with_maps(names.iter().map(String::as_str));
    assert_eq!(codes(&loaded.diagnostics), [Code::TextureNotFound; 1000]);
    assert_eq!(paths(&loaded), [None; 1000]);
}

/// A texture that no file is found for.
fn lost(uri: &str) -> Option<Texture> {
    Some(Texture { uri: uri.to_owned(), path: None })
}

#[test]
fn textures_and_blends_of_a_heightmap_are_read_in_order() {
    let map = |content: &str| match geometry(&format!("<heightmap><uri>h.png</uri>{content}</heightmap>")) {
        (Geometry::Heightmap(map), diagnostics) => (map, diagnostics),
        (other, _) => panic!("{other:?}"),
    };
    let (plain, _) = map("");
    assert_eq!((plain.textures, plain.blends), (Vec::new(), Vec::new()));
    let (read, diagnostics) =
        map("<texture><size>3</size><diffuse>d.png</diffuse><normal>n.png</normal></texture>
         <texture><size>5</size></texture>
         <blend><min_height>-2</min_height><fade_dist>5</fade_dist></blend>");
    let rest: Vec<_> =
        codes(&diagnostics).into_iter().filter(|code| *code != Code::TextureNotFound).collect();
    assert_eq!(rest, [Code::UriNotFound], "the image of the heights");
    let (diffuse, normal) = (lost("d.png"), lost("n.png"));
    let textures = [
        HeightmapTexture { size: 3.0, diffuse, normal },
        HeightmapTexture { size: 5.0, diffuse: None, normal: None },
    ];
    assert_eq!(read.textures, textures);
    assert_eq!(read.blends, [Blend { min_height: -2.0, fade_distance: 5.0 }]);
    let (bare, diagnostics) = map("<texture/><blend/>");
    assert_eq!(
        (bare.textures[0].size, bare.blends[0].min_height, bare.blends[0].fade_distance),
        (10.0, 0.0, 0.0)
    );
    assert_eq!(codes(&diagnostics)[1..], [Code::ElementMissing; 3]);
    let (bad, diagnostics) = map(
        "<texture><size>-1</size><coat/></texture><blend><min_height>nan</min_height><fade_dist>-1</fade_dist></blend>",
    );
    assert_eq!((bad.textures[0].size, bad.blends[0].fade_distance), (10.0, 0.0));
    let invalid = Code::ValueInvalid;
    assert_eq!(codes(&diagnostics)[1..], [Code::UnknownElement, invalid, invalid, invalid]);
}
