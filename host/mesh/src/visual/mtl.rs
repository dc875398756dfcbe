//! Material files of Wavefront OBJ.
//!
//! Not by `tobj`, which drops all materials of a file because of one mistake, and panics on a colour of a single
//! number, which the format allows. Here, a mistake is a warning and affects its line only.

use std::path::Path;

use super::warnings::Warnings;
use super::{Image, MeshMaterial};

/// Opacity below which a pixel is not drawn, if the image of colours is also that of opacity: the value of Gazebo.
const CUTOFF: f32 = 0.5;

/// The most materials of a file. A material needs more memory than its line.
const MAX: usize = 10_000;

/// Returns the materials of the file `file`, which belongs to the mesh file at `mesh`.
pub(super) fn parse<'a>(
    text: &'a str,
    mesh: &'a Path,
    file: &'a str,
    warnings: &'a mut Warnings,
) -> Vec<MeshMaterial> {
    let mut reading =
        Reading { mesh, file, warnings, all: Vec::new(), maps: Maps::default(), is_full: false };
    for line in text.lines() {
        let line = line.trim();
        let (key, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        reading.line(key, rest.trim());
    }
    reading.finish();
    reading.all
}

struct Reading<'a> {
    mesh: &'a Path,
    file: &'a str,
    warnings: &'a mut Warnings,
    /// The last one is being read.
    all: Vec<MeshMaterial>,
    /// Those of the last one.
    maps: Maps<'a>,
    /// True if further materials are ignored.
    is_full: bool,
}

/// Names of images. They are looked for only when the material ends, because a file can name millions.
#[derive(Default)]
struct Maps<'a> {
    color: Option<&'a str>,
    specular: Option<&'a str>,
    emissive: Option<&'a str>,
    normal: Option<&'a str>,
    opacity: Option<&'a str>,
}

impl<'a> Reading<'a> {
    fn line(&mut self, key: &str, rest: &'a str) {
        if key == "newmtl" {
            self.begin(rest);
            return;
        }
        let Some(mut material) = self.all.pop_if(|_| !self.is_full) else { return };
        if !self.set(&mut material, key, rest) {
            let (name, file) = (&material.name, self.file);
            self.warnings.add(format!("`{key} {rest}` of material `{name}` in `{file}` cannot be read"));
        }
        self.all.push(material);
    }

    fn begin(&mut self, name: &str) {
        self.finish();
        if self.all.len() < MAX {
            self.all.push(MeshMaterial { name: name.to_owned(), ..MeshMaterial::default() });
        } else {
            self.warnings.add(format!("`{}` has more than {MAX} materials", self.file));
            self.is_full = true;
        }
    }

    /// Sets what a line says about a material. Returns false if the line is wrong.
    fn set(&mut self, material: &mut MeshMaterial, key: &str, rest: &'a str) -> bool {
        // Programs differ in their capitals.
        match key.to_ascii_lowercase().as_str() {
            "ka" => set_color(&mut material.ambient, rest),
            "kd" => set_color(&mut material.diffuse, rest),
            "ks" => set_color(&mut material.specular, rest),
            "ke" => set_color(&mut material.emissive, rest),
            "ns" => set(&mut material.shininess, number(rest)),
            "d" => set(&mut material.diffuse[3], number(rest.trim_start_matches("-halo"))),
            "tr" => set(&mut material.diffuse[3], number(rest).map(|transparency| 1.0 - transparency)),
            "map_kd" => set_map(&mut self.maps.color, rest),
            "map_ks" => set_map(&mut self.maps.specular, rest),
            "map_ke" => set_map(&mut self.maps.emissive, rest),
            "map_bump" | "bump" | "norm" => set_map(&mut self.maps.normal, rest),
            "map_d" => set_map(&mut self.maps.opacity, rest),
            _ => true,
        }
    }

    /// Ends the last material.
    fn finish(&mut self) {
        if self.is_full {
            return;
        }
        let maps = std::mem::take(&mut self.maps);
        let Some(material) = self.all.last_mut() else { return };
        let image = |name: Option<&str>| name.map(|name| Image::beside(self.mesh, name));
        material.color_map = image(maps.color);
        material.specular_map = image(maps.specular);
        material.emissive_map = image(maps.emissive);
        material.normal_map = image(maps.normal);
        if maps.opacity.is_some() && maps.opacity == maps.color {
            (material.alpha_cutoff, material.double_sided) = (CUTOFF, true);
        } else if maps.opacity.is_some() {
            let (name, file) = (&material.name, self.file);
            let advice = "put the opacities into the image of its colours";
            self.warnings.add(format!("`map_d` of material `{name}` in `{file}` is not shown: {advice}"));
        }
    }
}

fn set_map<'a>(map: &mut Option<&'a str>, rest: &'a str) -> bool {
    *map = Some(without_options(rest)).filter(|name| !name.is_empty());
    map.is_some()
}

fn number(text: &str) -> Option<f32> {
    text.split_whitespace().next()?.parse().ok()
}

fn set(value: &mut f32, number: Option<f32>) -> bool {
    *value = number.unwrap_or(*value);
    number.is_some()
}

/// One number is a grey.
fn set_color(color: &mut [f32; 4], text: &str) -> bool {
    let mut words = text.split_whitespace().take(3);
    let numbers: Option<Vec<f32>> = words.try_fold(Vec::new(), |mut numbers, word| {
        numbers.push(word.parse().ok()?);
        Some(numbers)
    });
    let rgb = match numbers.as_deref() {
        Some([grey]) => [*grey; 3],
        Some([red, green, blue]) => [*red, *green, *blue],
        _ => return false,
    };
    color[..3].copy_from_slice(&rgb);
    true
}

/// Returns the name of an image, which may contain spaces, without the options before it, such as `-bm 0.5`.
fn without_options(text: &str) -> &str {
    let mut rest = text;
    while let Some((option, after)) = rest.split_once(char::is_whitespace).filter(|_| rest.starts_with('-')) {
        rest = after.trim_start();
        let (least, most) = match option {
            "-o" | "-s" | "-t" => (1, 3),
            "-mm" => (2, 2),
            _ => (1, 1),
        };
        for index in 0..most {
            let Some((word, after)) = rest.split_once(char::is_whitespace) else { break };
            if index >= least && word.parse::<f32>().is_err() {
                break;
            }
            rest = after.trim_start();
        }
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<MeshMaterial>, Vec<String>) {
        let mut warnings = Warnings::default();
        let all = parse(text, Path::new("/m/mesh.obj"), "look.mtl", &mut warnings);
        (all, warnings.into_vec())
    }

    #[test]
    fn options_before_the_name_of_an_image_are_skipped() {
        for (text, name) in [
            ("wall.png", "wall.png"),
            ("a brick wall.png", "a brick wall.png"),
            ("-bm 0.5 bump 2.png", "bump 2.png"),
            ("-s 1 2 3 -clamp on a.png", "a.png"),
            ("-o 1 a.png", "a.png"),
            ("-mm 0 1 -blendu off -t 1 1 dir/a b.png", "dir/a b.png"),
            ("-s", "-s"),
            ("", ""),
        ] {
            assert_eq!(without_options(text), name, "{text}");
        }
    }

    #[test]
    fn a_mistake_affects_its_line_only() {
        let (all, warnings) =
            read("Kd 1 1 1\nnewmtl a\nKd red\nKs 0.5\nNs\nTr 0.25\nmap_Kd\nnewmtl b\nKd 0 1 0\n");
        let [a, b] = &all[..] else { panic!("{all:?}") };
        assert_eq!((a.diffuse, a.specular), ([1.0, 1.0, 1.0, 0.75], [0.5, 0.5, 0.5, 1.0]));
        assert_eq!((b.name.as_str(), b.diffuse), ("b", [0.0, 1.0, 0.0, 1.0]));
        assert_eq!(warnings.len(), 3, "{warnings:?}");
        assert_eq!(warnings[0], "`Kd red` of material `a` in `look.mtl` cannot be read");
    }

    #[test]
    fn there_is_a_limit_of_materials() {
        let (all, warnings) = read(&"newmtl a\nKd 1 0 0\nmap_Kd a.png\n".repeat(MAX + 2));
        assert_eq!((all.len(), warnings.len()), (MAX, 1), "{warnings:?}");
        assert!(all.last().is_some_and(|last| last.color_map.is_some()));
    }

    #[test]
    fn an_image_of_opacities_cuts_out_its_own_colours_only() {
        let (all, warnings) =
            read("newmtl a\nmap_d leaf.png\nmap_Kd leaf.png\nnewmtl b\nmap_Kd c.png\nmap_d d.png");
        assert_eq!((all[0].alpha_cutoff, all[0].double_sided), (0.5, true));
        assert_eq!((all[1].alpha_cutoff, all[1].double_sided), (0.0, false));
        assert!(warnings.len() == 1 && warnings[0].contains("`b` in `look.mtl`"), "{warnings:?}");
    }
}
