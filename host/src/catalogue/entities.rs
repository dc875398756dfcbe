//! Operations on entities between steps.

use super::{Entry, entries};

entries! {
    // Spawning.
    "BH-ENT-001": "An entity was to be spawned where no world is loaded."
        => "load a world first";
    "BH-ENT-002": "The name of an entity is no name."
        => "use letters, digits and `_`, no digit first, and not `world`";
    "BH-ENT-003": "The namespace of an entity is no namespace."
        => "join names of letters, digits and `_` by single `/`, none at the end";
    "BH-ENT-004": "Nothing says what to spawn."
        => "give a file or a text";
    "BH-ENT-005": "The initial pose of an entity cannot be used."
        => "give finite numbers and a quaternion with a length; that of no rotation has w = 1";
    "BH-ENT-006": "The initial pose of an entity is given in the frame of one that is not there."
        => "name an entity of the world, or leave the frame empty";
    "BH-ENT-007": "What is to be spawned is no model, or more than one."
        => "give an SDF or URDF file with one model; `bridgehead world check` says what is wrong with a file";
    "BH-ENT-008": "A file that an entity needs is missing."
        => "check the spelling, or add the folder that holds it to the search path";
    "BH-ENT-009": "A file that an entity needs cannot be used."
        => "see the reason; meshes are read from glTF, COLLADA, STL and OBJ";
    "BH-ENT-010": "Neither the request nor the model says how an entity is called."
        => "give a name, or allow renaming";
    "BH-ENT-011": "The name of an entity is taken."
        => "give another name, or allow renaming";
    "BH-ENT-012": "Physics cannot have an entity."
        => "see the reason; `bridgehead world check` says more about the file";
    "BH-ENT-013": "A bridge of a spawned vehicle could not be attached; the vehicle goes without it."
        => "see the reason; the connection string stands in the `<plugin>` or in the configuration";
    // Deleting.
    "BH-ENT-020": "An entity was to be deleted where no world is loaded."
        => "load a world first";
    "BH-ENT-021": "There is no entity of that name to delete."
        => "list the entities; names of spawned ones may have been changed if that was allowed";
    "BH-ENT-022": "An actor was to be deleted."
        => "take it out of the world file";
    "BH-ENT-023": "Physics failed while an entity was deleted."
        => "reset the simulation, and report it with the log";
    // Setting.
    "BH-ENT-030": "The state of an entity was to be set where no world is loaded."
        => "load a world first";
    "BH-ENT-031": "There is no entity of that name whose state could be set."
        => "list the entities";
    "BH-ENT-032": "A state is given in the frame of an entity that is not there."
        => "name an entity of the world, or leave the frame empty";
    "BH-ENT-033": "The pose of a state cannot be used."
        => "give finite numbers and a quaternion with a length; that of no rotation has w = 1";
    "BH-ENT-034": "A velocity or acceleration of a state is not finite."
        => "give finite numbers";
    "BH-ENT-035": "A static entity was to be set in motion."
        => "set its pose only, with a velocity and acceleration of zero";
    "BH-ENT-036": "The state of an actor was to be set."
        => "change its script, or use a model";
    "BH-ENT-037": "An acceleration was to be set."
        => "leave it out or zero; it follows from the forces";
    "BH-ENT-038": "Physics refused a state."
        => "see the reason";
    // Asking.
    "BH-ENT-040": "An entity was asked about where no world is loaded."
        => "load a world first";
    "BH-ENT-041": "There is no entity of that name."
        => "list the entities";
    "BH-ENT-045": "A region is given by a wrong number of points."
        => "give a centre and a radius, two corners, or three and more points";
    "BH-ENT-046": "A point of a region is not finite, or too far away."
        => "give finite numbers, up to 1e9 m";
    "BH-ENT-047": "A region has a radius below zero."
        => "give the radius as x of the second point";
    "BH-ENT-048": "The corners of a region are in the wrong order."
        => "give the upper corner first, then the lower";
    "BH-ENT-049": "The points of a region lie on one line."
        => "give three or more that do not";
    "BH-ENT-050": "A named pose was asked for where no world is loaded."
        => "load a world first";
    "BH-ENT-051": "The world has no pose of that name."
        => "list the named poses; a world has those of its `<bridgehead:pose>`";
}
