//! Physics: shapes, bodies, joints, and commands to them.

use super::entry::{Entry, entries};

entries! {
    // Rays.
    "BH-PHY-001": "A dimension of a shape is zero, negative or not finite; rays do not hit the shape."
        => "correct it in the `<geometry>` element";
    "BH-PHY-002": "A triangle of a mesh names a point that the mesh does not have."
        => "export the mesh again";
    "BH-PHY-003": "A point of a mesh has a coordinate that is not finite."
        => "export the mesh again";
    "BH-PHY-004": "A mesh has no triangles."
        => "export the mesh with faces, not only with points or lines";
    "BH-PHY-005": "A shape was added to a frame that had been removed."
        => "report this with the world: it is a defect of the host";
    // Bodies and joints.
    "BH-PHY-010": "A joint is not supported at its place: a universal, revolute2, screw or gearbox joint between models, or a screw or gearbox between kinematic links or in a loop of only such joints."
        => "put both links into one model, make one of its links dynamic, or use fixed, revolute, continuous, prismatic or ball";
    "BH-PHY-011": "A joint does not connect two different links of its model; the model is left out."
        => "name two different links as parent and child";
    "BH-PHY-012": "The axis of a joint has no direction; the model is left out."
        => "give a finite direction, such as `<xyz>0 0 1</xyz>`";
    "BH-PHY-013": "The mass or the inertia of a link is physically impossible; the model is left out."
        => "mass and principal moments must be positive, and no moment may exceed the sum of the other two";
    "BH-PHY-014": "The shape of a collision cannot be simulated; the model is left out."
        => "give the shape positive, finite sizes";
    "BH-PHY-015": "A number of a model, or of a command to it, is not finite."
        => "look for a division by zero in the source of the number";
    "BH-PHY-016": "A handle refers to a model that was removed."
        => "do not use handles of a model after the model was removed";
    "BH-PHY-017": "A handle refers to a link that was removed with its model."
        => "do not use handles of a model after the model was removed";
    "BH-PHY-018": "A handle refers to a joint that was removed with its model."
        => "do not use handles of a model after the model was removed";
    "BH-PHY-019": "A command is for a joint that has no position, or several."
        => "command a joint with one position, such as a revolute or prismatic joint";
    "BH-PHY-020": "The simulation diverged: the state of a link is no longer finite."
        => "look for tiny masses, huge forces, shapes that start inside each other, or steps that are too long";
    "BH-PHY-021": "A setting of the physics is out of its range."
        => "give a value within the range that the message names";
    "BH-PHY-022": "The lower limit of a joint is above its upper limit; the model is left out."
        => "swap the two, or remove `<limit>` for a joint that turns freely";
    "BH-PHY-023": "A coefficient such as friction or damping is negative or not finite; the model is left out."
        => "give zero or a positive number";
    "BH-PHY-024": "The physics engine failed in a step; the run is aborted."
        => "look for shapes that are much larger or smaller than others; to find them, remove models until the step succeeds";
    "BH-PHY-025": "The two axes of a joint are parallel; the model is left out."
        => "turn one of them, or use a revolute joint";
    "BH-PHY-026": "A gearbox does not have two revolute joints to couple, or they are already coupled, or its ratio is invalid; the model is left out."
        => "join parent and child to the reference body by revolute joints along `<axis>` and `<axis2>`, with one gearbox or mimic between the two";
    "BH-PHY-027": "The pitch of a screw is zero, too small or too large; the model is left out."
        => "give the metres per turn in `<screw_thread_pitch>`; use a revolute joint if there is no pitch";
    "BH-PHY-028": "A joint cannot follow the joint that it names; the model is left out."
        => "follow another joint that has a position, without a cycle";
    "BH-PHY-029": "More than 300 screws, gears and joints with two axes must be one tree; the model is left out."
        => "use fewer of them, or other joints between some of them, where the tree can be cut";
    "BH-PHY-030": "The inertia of a link does not fit its mass, so that its motion may be inaccurate."
        => "correct `<mass>` or `<inertia>`, or use `<inertial auto=\"true\">`";
    "BH-PHY-031": "A joint connects links of very different masses and may be inaccurate."
        => "give the lighter link a larger mass, or connect the two by a fixed joint";
    "BH-PHY-032": "A model begins below a plane and rises slowly."
        => "raise the pose of the model, or set a higher `overlap_speed`";
    "BH-PHY-033": "A direction of friction is expressed in the frame of a link that does not exist."
        => "name a link of the same model in `gz:expressed_in`";
    "BH-PHY-034": "A handle refers to a collision that was removed with its model."
        => "do not use handles of a model after the model was removed";
    // The world.
    "BH-PHY-050": "A command names a link, joint or model that does not exist."
        => "use the handles that the model extension gives";
    "BH-PHY-051": "A command contains a number that is not finite or beyond its bound, or a negative effort, stiffness or damping."
        => "look for a division by zero in the plugin that gives the command";
    "BH-PHY-052": "A plugin requested to attach a link to itself."
        => "attach two different links";
    "BH-PHY-053": "The text of a spawned model is not SDF with exactly one model."
        => "give one `<model>`, alone or in an `<sdf>` document, without errors";
    "BH-PHY-054": "The name of a spawned model is taken."
        => "choose another name, or allow renaming";
    "BH-PHY-056": "A plugin requested to place, push or remove an actor, which follows its script."
        => "place, push or remove a model instead";
    "BH-PHY-060": "The physics settings of the world cannot be used."
        => "correct `<physics>` or `<gravity>` as described in the message";
    "BH-PHY-061": "A joint that connects models to each other or to the world cannot be simulated; it is left out."
        => "see the reason; some joint types need both links in one model";
    "BH-PHY-062": "A collision has a geometry that is not simulated yet; it has no effect on contacts and sensors."
        => "replace it with a mesh, heightmap, polyline, box, sphere, cylinder, capsule, cone, ellipsoid or plane";
    "BH-PHY-063": "The name of a model that a plugin spawns is too long."
        => "choose a name of at most 255 bytes";
    "BH-PHY-064": "A plugin requested to move a link along a path, and a joint holds the link."
        => "command the joint, or remove it from the model";
    "BH-PHY-065": "A collision has no shape, because its file cannot be used: it has no contacts and no ray hits."
        => "the message names the cause, such as a mesh without triangles; replace or repair the file";
    "BH-PHY-066": "A model is left out of physics, because a part of it cannot be simulated."
        => "the message names the part and the reason";
    "BH-PHY-067": "A shape is invisible to the rays of sensors."
        => "the message names the cause, such as a mesh without triangles";
}
