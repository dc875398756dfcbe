//! Mesh files, and height maps.

use super::entry::{Entry, entries};

entries! {
    "BH-MSH-001": "The file of a mesh cannot be read; the collision has no effect on contacts and sensors."
        => "check the path and your permissions";
    "BH-MSH-002": "The file of a mesh has an unsupported format."
        => "export it as glTF, COLLADA, STL or OBJ";
    "BH-MSH-003": "The file of a mesh is damaged, or does not match its extension."
        => "open it in a modelling tool and export it again";
    "BH-MSH-004": "A mesh contains no triangles."
        => "export it with faces, not only with points or lines";
    "BH-MSH-005": "A `<submesh>` names a part that the file does not have."
        => "use one of the listed names; parts are named after the nodes of the file";
    "BH-MSH-006": "The file of a mesh is too large."
        => "simplify it: details finer than a contact have no effect";
    "BH-MSH-007": "A `<polyline>` encloses no area."
        => "give three or more `<point>`s that do not lie on one line, and a `<height>` above 0";
    "BH-MSH-008": "A mesh or a polyline is too large or too small to be simulated."
        => "check its unit and `<scale>`";
    "BH-MSH-009": "The image of a heightmap cannot be read, or is not PNG; the collision has no effect on contacts and sensors."
        => "convert it, with `gdal_translate -ot UInt16 -scale -of PNG` or an image editor";
    "BH-MSH-010": "The image of a heightmap has too many pixels, or too few."
        => "resize the image, or lower `<sampling>`";
    "BH-MSH-011": "The numbers of a `<heightmap>` do not describe a surface."
        => "correct its `<size>`, `<pos>` or `<sampling>`";
    "BH-MSH-012": "A heightmap belongs to a link that moves, but a heightmap has no volume and cannot push other bodies."
        => "make the model static, or use a `<mesh>`, which becomes convex parts on a moving link";
    "BH-MSH-013": "A texture cannot be read, is not PNG or JPEG, or is too large; a plain colour is shown instead."
        => "convert the image to PNG";
    "BH-MSH-014": "Materials of a mesh file are not available; viewers show the mesh without them."
        => "put the named file beside the mesh, or export the mesh again with its materials";
}
