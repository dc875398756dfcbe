//! Physics: shapes, bodies, joints, and commands to them.

use super::{Entry, entries};

entries! {
    // Rays.
    "BH-PHY-001": "A dimension of a shape is zero, negative or not finite; rays do not see the shape."
        => "correct it in the `<geometry>` element";
    "BH-PHY-002": "A triangle of a mesh names a point that the mesh does not have."
        => "export the mesh again";
    "BH-PHY-003": "A point of a mesh has a coordinate that is not finite."
        => "export the mesh again";
    "BH-PHY-004": "A mesh has no triangles."
        => "export the mesh with faces, not only with points or lines";
    "BH-PHY-005": "A shape was added to a frame that had been removed."
        => "report it, with the world: this is a defect of the host";
    // Bodies and joints.
    "BH-PHY-010": "A joint is of a type that is not simulated where it stands: between models, in a loop of nothing but threads and gears, or as a thread or gears between links that are all kinematic."
        => "put what it joins into one model, let one of its links be moved by its joints, or use fixed, revolute, continuous, prismatic or ball";
    "BH-PHY-011": "A joint does not connect two different links of its model; the model is left out."
        => "name two different links as parent and child";
    "BH-PHY-012": "The axis of a joint has no direction; the model is left out."
        => "give a finite direction, such as `<xyz>0 0 1</xyz>`";
    "BH-PHY-013": "The mass or the inertia of a link belongs to no real body; the model is left out."
        => "mass and principal moments must be positive, and no moment may exceed the sum of the other two";
    "BH-PHY-014": "The shape of a collision cannot be simulated; the model is left out."
        => "give the shape positive, finite sizes";
    "BH-PHY-015": "A number of a model, or of a command to it, is not finite."
        => "look for a division by zero where the number comes from";
    "BH-PHY-016": "A model that is referred to was removed."
        => "do not use handles of a model after it was removed";
    "BH-PHY-017": "A link that is referred to was removed with its model."
        => "do not use handles of a model after it was removed";
    "BH-PHY-018": "A joint that is referred to was removed with its model."
        => "do not use handles of a model after it was removed";
    "BH-PHY-019": "A joint was commanded that has no single position."
        => "command a joint that has a position";
    "BH-PHY-020": "The simulation diverged: the state of a link is no longer finite."
        => "look for tiny masses, huge forces, shapes that start inside each other, or steps that are too long";
    "BH-PHY-021": "A setting of the physics is out of its range."
        => "give a value within the range that the text names";
    "BH-PHY-022": "The lower limit of a joint is above its upper limit; the model is left out."
        => "exchange the two, or remove `<limit>` for a joint that turns freely";
    "BH-PHY-023": "A coefficient such as friction or damping is negative or not finite; the model is left out."
        => "give zero or a positive number";
    "BH-PHY-024": "The physics engine failed in a step; the run is aborted."
        => "look for shapes that are very large or very small beside others; leave models out until it goes";
    "BH-PHY-025": "The two axes of a joint are parallel; the model is left out."
        => "turn one of them, or use a revolute joint";
    "BH-PHY-026": "A gearbox has no two revolute joints to couple, or two that are coupled already, or a ratio that is none; the model is left out."
        => "join parent and child to the reference body by revolute joints along `<axis>` and `<axis2>`, with one gearbox or mimic between the two";
    "BH-PHY-027": "The pitch of a screw is zero, too small or too large; the model is left out."
        => "give the metres per turn in `<screw_thread_pitch>`; use a revolute joint for no pitch at all";
    "BH-PHY-028": "A joint is to follow another one that it cannot follow; the model is left out."
        => "follow another joint that has a position, not in a circle";
    // The world.
    "BH-PHY-050": "A command names a link, joint or model that does not exist."
        => "use the handles that the model extension gives";
    "BH-PHY-051": "A command holds a number that is not finite, or one below 0 as an effort, a stiffness or a damping."
        => "look for a division by zero in the plugin that gives the command";
    "BH-PHY-052": "A plugin asked to fix two links of one model to each other."
        => "tie links of different models; links of one model are tied by a `<joint>`";
    "BH-PHY-053": "A text that should be spawned is not SDF with exactly one model."
        => "give one `<model>`, alone or in an `<sdf>` document, without errors";
    "BH-PHY-054": "A model should be spawned under a name that is taken."
        => "choose another name, or allow renaming";
    "BH-PHY-056": "A plugin wants to place, push or remove an actor, which its script leads."
        => "place, push or remove a model; an actor walks as its `<script>` says";
    "BH-PHY-060": "The physics settings of the world cannot be used."
        => "correct `<physics>` or `<gravity>` as the text says";
    "BH-PHY-061": "The world has joints between its models, which are not simulated yet; they are left out."
        => "put what belongs together into one model, or nest one model in the other";
    "BH-PHY-062": "A collision has a geometry that is not simulated yet; nothing touches or sees it."
        => "put a mesh, heightmap, polyline, box, sphere, cylinder, capsule, cone, ellipsoid or plane in its place";
}
