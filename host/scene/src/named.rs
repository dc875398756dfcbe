//! The named materials of Gazebo that are plain colours, so that worlds that name them need no scripts.
//!
//! The values are those of `media/materials/scripts/gazebo.material` of Gazebo Classic 11, whose transparent materials
//! have their opacity in a texture unit. Named materials with textures are not here: their images belong to Gazebo.

use bridgehead_sdf::element::Rgba;

/// The colours of a named material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Named {
    /// Its name without `Gazebo/`.
    pub(crate) name: &'static str,
    pub(crate) ambient: Rgba,
    pub(crate) diffuse: Rgba,
    pub(crate) specular: Rgba,
    pub(crate) emissive: Rgba,
}

const BLACK: Rgba = [0.0, 0.0, 0.0, 1.0];

const fn grey(value: f32) -> Rgba {
    [value, value, value, 1.0]
}

const fn colour(name: &'static str, ambient: Rgba, diffuse: Rgba, specular: Rgba) -> Named {
    Named { name, ambient, diffuse, specular, emissive: BLACK }
}

/// One colour under ambient and directed light, with the weak highlight that most have.
const fn plain(name: &'static str, both: Rgba) -> Named {
    colour(name, both, both, grey(0.1))
}

/// A colour that shines by itself.
const fn glow(name: &'static str, of: Rgba, specular: Rgba) -> Named {
    Named { name, ambient: of, diffuse: of, specular, emissive: of }
}

/// A colour of which a part passes.
const fn see_through(name: &'static str, of: Rgba) -> Named {
    colour(name, of, of, BLACK)
}

const RED: Rgba = [1.0, 0.0, 0.0, 1.0];
const GREEN: Rgba = [0.0, 1.0, 0.0, 1.0];
const BLUE: Rgba = [0.0, 0.0, 1.0, 1.0];
const YELLOW: Rgba = [1.0, 1.0, 0.0, 1.0];
const PURPLE: Rgba = [1.0, 0.0, 1.0, 1.0];
const TURQUOISE: Rgba = [0.0, 1.0, 1.0, 1.0];
const ORANGE: Rgba = [1.0, 0.5088, 0.0468, 1.0];
const BRIGHT: Rgba = [0.87, 0.26, 0.07, 1.0];
const ZINC: Rgba = [0.9725, 0.9529, 0.2078, 1.0];

/// All of them.
pub(crate) const NAMED: &[Named] = &[
    colour("Grey", grey(0.3), grey(0.7), grey(0.01)),
    colour("DarkGrey", grey(0.175), grey(0.175), grey(0.175)),
    plain("White", grey(1.0)),
    colour("FlatBlack", grey(0.1), grey(0.1), grey(0.01)),
    colour("Black", BLACK, BLACK, grey(0.1)),
    plain("Red", RED),
    colour("RedBright", BRIGHT, BRIGHT, BRIGHT),
    plain("Green", GREEN),
    plain("Blue", BLUE),
    colour("SkyBlue", [0.13, 0.44, 0.70, 1.0], BLUE, grey(0.1)),
    colour("Yellow", YELLOW, YELLOW, BLACK),
    colour("ZincYellow", ZINC, ZINC, ZINC),
    plain("Purple", PURPLE),
    plain("Turquoise", TURQUOISE),
    colour("Orange", ORANGE, ORANGE, grey(0.5)),
    colour("Gold", [0.4, 0.248_69, 0.020_759, 1.0], [0.8, 0.648_69, 0.120_759, 1.0], grey(0.4)),
    colour(
        "Pioneer2Body",
        [0.481_193, 0.000_123, 0.000_123, 1.0],
        [0.681_193, 0.000_923, 0.000_923, 1.0],
        grey(0.5),
    ),
    glow("WhiteGlow", grey(1.0), grey(0.1)),
    glow("RedGlow", RED, BLACK),
    glow("GreenGlow", GREEN, grey(0.1)),
    glow("BlueGlow", BLUE, grey(0.1)),
    glow("YellowGlow", YELLOW, BLACK),
    glow("PurpleGlow", PURPLE, grey(0.1)),
    glow("TurquoiseGlow", TURQUOISE, grey(0.1)),
    glow("LightOn", GREEN, BLACK),
    glow("LightOff", RED, BLACK),
    see_through("RedTransparent", [1.0, 0.0, 0.0, 0.5]),
    see_through("GreenTransparent", [0.0, 1.0, 0.0, 0.5]),
    see_through("BlueTransparent", [0.0, 0.0, 1.0, 0.5]),
    see_through("GreyTransparent", [0.5, 0.5, 0.5, 0.5]),
    see_through("YellowTransparent", [1.0, 1.0, 0.0, 0.5]),
    see_through("OrangeTransparent", [1.0, 0.44, 0.0, 0.4]),
    see_through("BlueLaser", [0.0, 0.0, 1.0, 0.4]),
];

/// Returns the material of that name, with or without `Gazebo/`; `None` for a material that is not a plain colour.
pub(crate) fn named(name: &str) -> Option<&'static Named> {
    let short = name.strip_prefix("Gazebo/").unwrap_or(name);
    NAMED.iter().find(|named| named.name == short)
}
