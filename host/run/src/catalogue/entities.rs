//! Operations on entities between steps.

use super::entry::{Entry, entries};

entries! {
    // Spawning.
    "BH-ENT-001": "An entity cannot be spawned because no world is loaded."
        => "load a world first";
    "BH-ENT-002": "The name of an entity is malformed."
        => "use letters, digits and `_`; the first character is not a digit, and the name is not `world`";
    "BH-ENT-003": "The namespace of an entity is malformed."
        => "write names of letters, digits and `_`, separated by single `/`, without `/` at the end";
    "BH-ENT-004": "A spawn request has neither an address nor a text."
        => "give a file or a text";
    "BH-ENT-005": "The initial pose of an entity cannot be used."
        => "give finite numbers and a quaternion with a length above 0; no rotation is w = 1";
    "BH-ENT-006": "The initial pose of an entity is relative to an entity that does not exist."
        => "name an entity of the world, or leave the frame empty";
    "BH-ENT-007": "The source of a spawned entity contains no model, or more than one."
        => "give an SDF or URDF file with one model; `bridgehead world check` lists the problems of a file";
    "BH-ENT-008": "A file that an entity needs is missing."
        => "check the spelling, or add the folder that contains it to the search path";
    "BH-ENT-009": "A file that an entity needs cannot be used."
        => "see the reason; meshes are read from glTF, COLLADA, STL and OBJ";
    "BH-ENT-010": "Neither the request nor the model gives a name for the entity."
        => "give a name, or allow renaming";
    "BH-ENT-011": "The name of an entity is taken."
        => "give another name, or allow renaming";
    "BH-ENT-012": "The physics engine refuses an entity."
        => "see the reason; `bridgehead world check` gives details about the file";
    "BH-ENT-013": "A bridge could not be attached to a spawned vehicle; the vehicle runs without it."
        => "see the reason; the connection string is in the `<plugin>` or in the configuration";
    "BH-ENT-014": "The operating system refuses the file descriptors or threads that another entity needs; it is not spawned."
        => "raise the limits (`ulimit -n`, `ulimit -u`), or delete entities first";
    "BH-ENT-015": "The world was unloaded or replaced while an entity for it was prepared."
        => "spawn the entity again, in the new world";
    "BH-ENT-016": "The host panicked while it prepared an entity, or the operating system cannot create a thread."
        => "report the defect with the model, or raise the limit on threads or processes";
    // Deleting.
    "BH-ENT-020": "An entity cannot be deleted because no world is loaded."
        => "load a world first";
    "BH-ENT-021": "The entity to delete does not exist."
        => "list the entities; if renaming was allowed, a spawned entity may have another name";
    "BH-ENT-022": "An actor cannot be deleted."
        => "remove it from the world file";
    "BH-ENT-023": "Physics failed while an entity was deleted."
        => "reset the simulation, and report this with the log";
    // Setting.
    "BH-ENT-030": "The state of an entity cannot be set because no world is loaded."
        => "load a world first";
    "BH-ENT-031": "The entity whose state is set does not exist."
        => "list the entities";
    "BH-ENT-032": "A state is relative to an entity that does not exist."
        => "name an entity of the world, or leave the frame empty";
    "BH-ENT-033": "The pose of a state cannot be used."
        => "give finite numbers and a quaternion with a length above 0; no rotation is w = 1";
    "BH-ENT-034": "A velocity or acceleration of a state is not finite."
        => "give finite numbers";
    "BH-ENT-035": "A static entity cannot move."
        => "set its pose only, with a velocity and acceleration of zero";
    "BH-ENT-036": "The state of an actor cannot be set."
        => "change its script, or use a model";
    "BH-ENT-038": "The physics engine refused a state."
        => "see the reason";
    "BH-ENT-039": "A velocity or acceleration of a state is too large."
        => "stay within 1e5 m/s and 1e4 rad/s along each axis";
    // Asking.
    "BH-ENT-040": "An entity cannot be read because no world is loaded."
        => "load a world first";
    "BH-ENT-041": "There is no entity of that name."
        => "list the entities";
    "BH-ENT-042": "The description or a tag of an entity is too long, or there are too many tags."
        => "stay within the limits of the message";
    "BH-ENT-045": "A region has a wrong number of points."
        => "give a centre and a radius, two corners, or three or more points";
    "BH-ENT-046": "A point of a region is not finite, or too far away."
        => "give finite numbers, up to 1e9 m";
    "BH-ENT-047": "A region has a radius below zero."
        => "give the radius as x of the second point";
    "BH-ENT-048": "The corners of a region are in the wrong order."
        => "give the upper corner first, then the lower";
    "BH-ENT-049": "The points of a region lie on one line."
        => "give three or more points that do not lie on one line";
    "BH-ENT-050": "A named pose cannot be read because no world is loaded."
        => "load a world first";
    "BH-ENT-051": "The world has no pose of that name."
        => "list the named poses; a world has those of its `<bridgehead:pose>`";
}
