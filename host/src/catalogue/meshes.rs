//! Mesh files, and height maps.

use super::{Entry, entries};

entries! {
    "BH-MSH-001": "The file of a mesh cannot be read; nothing touches or sees the collision."
        => "check the path and your rights";
    "BH-MSH-002": "The file of a mesh is of a format that is not read."
        => "export it as glTF, COLLADA, STL or OBJ";
    "BH-MSH-003": "The file of a mesh is broken, or not what its extension says."
        => "open it in a modelling tool and export it again";
    "BH-MSH-004": "A mesh holds no triangles."
        => "export it with faces, not only with points or lines";
    "BH-MSH-005": "A `<submesh>` names a part that the file does not have."
        => "use one of the names that the text lists; parts are named after the nodes of the file";
    "BH-MSH-006": "The file of a mesh is too large."
        => "simplify it: physics has no use for what is finer than a contact";
    "BH-MSH-007": "A `<polyline>` encloses no area."
        => "give three or more `<point>`s that do not lie on one line, and a `<height>` above 0";
    "BH-MSH-008": "A mesh or a polyline is too large or too small to be simulated."
        => "look at its unit and at `<scale>`";
    "BH-MSH-009": "The image of a heightmap cannot be read, or is no PNG; nothing touches or sees the collision."
        => "convert it, with `gdal_translate -ot UInt16 -scale -of PNG` or an image editor";
    "BH-MSH-010": "The image of a heightmap has too many pixels, or too few."
        => "resize the image, or lower `<sampling>`";
    "BH-MSH-011": "The numbers of a `<heightmap>` make no surface."
        => "correct its `<size>`, `<pos>` or `<sampling>`";
    "BH-MSH-012": "A heightmap stands on a link that moves, and has no inside that could push."
        => "make the model static, or use a `<mesh>`, which becomes convex parts where it moves";
}
