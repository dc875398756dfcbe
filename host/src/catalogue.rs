//! What the error codes mean that have no table of their own: of messages, bridges, physics, the run, and running
//! plugins.
//!
//! Their texts are written where they arise; here stands what `docs/errors.md` says of them. Codes of SDF, of the
//! configuration and of plugin files are in the tables of [`sdf`](crate::sdf), [`config`](crate::config) and
//! [`plugin`](crate::plugin). Plain data, any thread.

/// What one code means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The code, as `BH-PHY-010`. Its number is never used for something else.
    pub code: &'static str,
    /// What it means, as a sentence.
    pub meaning: &'static str,
    /// What to try.
    pub advice: &'static str,
}

/// How long a code is, in bytes.
pub const CODE_LENGTH: usize = "BH-PHY-010".len();

/// Whether a text is an error code, and nothing more.
#[must_use]
pub fn is_code(text: &str) -> bool {
    let parts = text.strip_prefix("BH-").and_then(|rest| rest.split_once('-'));
    parts.is_some_and(|(area, number)| {
        area.len() == 3
            && area.bytes().all(|letter| letter.is_ascii_uppercase())
            && number.len() == 3
            && number.bytes().all(|digit| digit.is_ascii_digit())
    })
}

/// Builds the table from one list.
macro_rules! catalogue {
    ($( $code:literal: $meaning:literal => $advice:literal; )*) => {
        /// Every code without a table of its own, sorted.
        pub const CATALOGUE: &[Entry] = &[$( Entry { code: $code, meaning: $meaning, advice: $advice } ),*];
    };
}

catalogue! {
    // Bridges, as the host sees them.
    "BH-BRG-001": "A bridge plugin failed while it registered what it carries; it is not available."
        => "see the reason given by the plugin; `bridgehead plugin probe FILE` tries it alone";
    "BH-BRG-002": "A library failed while it registered its converters for a bridge; it works without those that are missing."
        => "see the reason given by the plugin";
    "BH-BRG-010": "A bridge does not carry the type of a topic; the topic stays without this bridge."
        => "use a bridge that carries the type, or a plugin that brings a converter for it";
    "BH-BRG-011": "A bridge refused a topic or a service; it stays without this bridge."
        => "see the reason given by the bridge";
    "BH-BRG-012": "A bridge did not come back in time from the calls that announce its topics."
        => "look for waits in the bridge's `publisher`, `subscriber` and `service`";
    "BH-BRG-013": "A thread for a bridge could not be started."
        => "check the limit of processes and threads (`ulimit -u`) and the free memory";
    "BH-BRG-014": "A bridge reported a failure while it disconnected; what it still held may be lost."
        => "see the reason given by the bridge";
    "BH-BRG-015": "A thread of a bridge did not end in time; what it may still use is kept until the process ends."
        => "let the loop return when the host interrupts it, and bound every wait in it";
    "BH-BRG-016": "A bridge hangs in its last calls and was left alone; the run ends without it."
        => "bound the waits in the bridge's `disconnect` and in the destruction of its ends";
    "BH-BRG-017": "A loop of a bridge ended by itself; nothing flows in that direction any more."
        => "see the reason given by the bridge";
    "BH-BRG-020": "No bridge plugin of that name or id is loaded."
        => "check the spelling against `bridgehead plugin list`, or add its folder with `--plugin-path`";
    "BH-BRG-021": "A bridge does not understand its connection string."
        => "see the form that the bridge names in its reason";
    "BH-BRG-022": "A pattern of vehicle names is malformed."
        => "write `world`, a vehicle's name, a pattern with `*`, `?`, `[abc]` or `{a,b}`, or `*` for all";
    "BH-BRG-023": "A bridge is asked for at vehicles that the world does not have."
        => "use one of the vehicles listed: the models of the world that are not static";
    "BH-BRG-024": "An instance of a bridge could not be made."
        => "see the reason given by the bridge";
    "BH-BRG-030": "A bridge could not connect, or lost its connection; the run goes on unless the bridge is required."
        => "check that the other side runs and that the connection string names it";
    "BH-BRG-031": "A bridge did not answer a notice of the lifecycle in time."
        => "return from `notice` at once, and do the work in the bridge's own loop";
    "BH-BRG-032": "The queue of a bridge is full, and its `policy` is `error`; messages are lost."
        => "give the bridge a longer queue, or let the simulation wait with `policy = \"block\"`";
    "BH-BRG-033": "A bridge did not acknowledge a reset in time; the run goes on."
        => "acknowledge every reset, also one in which the bridge has nothing to do";

    // The bridge `logging`.
    "BH-BRG-110": "The connection string of a log cannot be understood."
        => "write it in the form that the text shows";
    "BH-BRG-111": "A world file names a log outside the output directory."
        => "write a relative path without `..`, or give the path with `--bridge`";
    "BH-BRG-112": "The log file exists and is left as it is."
        => "choose another name, or add `;overwrite=true`";
    "BH-BRG-113": "The log file cannot be opened for writing."
        => "check its directory and your rights in it";
    "BH-BRG-114": "Writing a log failed; further messages are counted as dropped and the run goes on."
        => "make room, or limit the file with `max_size=`";
    "BH-BRG-115": "A log has reached its `max_size`; further messages are counted as dropped."
        => "raise `max_size`, or choose fewer topics";
    "BH-BRG-116": "A log file is open already with other options."
        => "give every connection to one file the same options";

    // The bridge `replay`.
    "BH-BRG-120": "The connection string of a recording cannot be understood."
        => "write it in the form that the text shows";
    "BH-BRG-121": "A world file names a recording outside its own directory."
        => "write a relative path without `..`, or give the path with `--bridge`";
    "BH-BRG-122": "A recording cannot be opened."
        => "check the path and your rights";
    "BH-BRG-123": "A recording cannot be played from the place named on."
        => "correct the line or the message at that place, or record again";

    // Schemas.
    "BH-MSG-001": "A descriptor set cannot be read."
        => "give an encoded google.protobuf.FileDescriptorSet, as `protoc --descriptor_set_out` writes it";
    "BH-MSG-002": "A message is not in the descriptor set it was given with."
        => "check the message's name and its package";
    "BH-MSG-003": "A field refers to a type that is not in the descriptor set."
        => "build the set with its imports: `protoc --include_imports`";
    "BH-MSG-004": "A message is not declared with proto3."
        => "declare its file with `syntax = \"proto3\"`";
    "BH-MSG-005": "A message has a oneof, which ROS cannot express."
        => "use one message per case, or plain fields with a field that tells which holds";
    "BH-MSG-006": "A field is `optional`, which ROS cannot express."
        => "drop `optional`: a ROS field always has a value";
    "BH-MSG-007": "A field is a map, which ROS cannot express."
        => "use a repeated message with a key and a value";
    "BH-MSG-008": "A field is a group, which ROS cannot express."
        => "use a message";
    "BH-MSG-009": "A field is an enum, which ROS cannot express."
        => "use an integer field, and `ros_constant` for the names of its values";
    "BH-MSG-010": "A message contains itself, which ROS cannot express."
        => "break the circle that the text shows";
    "BH-MSG-011": "A message has no ROS type."
        => "add `option (bridgehead.annotations.v1.ros_message) = \"package/msg/Name\"`";
    "BH-MSG-012": "An annotation is malformed or does not fit its field."
        => "correct the annotation as the text says";
    "BH-MSG-013": "The name or the number of a field cannot be used."
        => "choose another one, as the text says";
    "BH-MSG-014": "A message is declared twice in one descriptor set."
        => "build the set from each file once";
    "BH-MSG-015": "A schema is beyond the limits of size and nesting."
        => "split the message, or flatten it";

    // Payloads.
    "BH-MSG-020": "A protobuf payload is cut short."
        => "send whole messages; look for a length that was written too small";
    "BH-MSG-021": "A payload is not protobuf."
        => "check the encoding and the type of the sender";
    "BH-MSG-022": "A payload is protobuf of another message type."
        => "check that both sides use the same version of the type";
    "BH-MSG-023": "A string of a payload is not UTF-8."
        => "send text as UTF-8, and bytes in a field of bytes";
    "BH-MSG-024": "A number does not fit its ROS type."
        => "send a value within the range of the type";
    "BH-MSG-025": "An array or a string has a length that its ROS type does not allow."
        => "send as many elements as the text asks for";
    "BH-MSG-030": "A text is not JSON from the byte named on."
        => "look for a missing quote, bracket or comma at or before that byte";
    "BH-MSG-031": "A JSON object names a field that the message does not have."
        => "use one of the fields listed";
    "BH-MSG-032": "A JSON object gives a field twice."
        => "remove one of the two";
    "BH-MSG-033": "A JSON value is of another kind than its field."
        => "write a value of the kind that the text asks for";
    "BH-MSG-034": "A JSON string for a field of bytes is not base64."
        => "encode the bytes in the standard alphabet, with padding";
    "BH-MSG-035": "A message written in protobuf's text format cannot be read, or does not fit its type."
        => "look at the line and column that the text names";
    "BH-MSG-040": "A line of a recording is no JSON object, or has a member of another kind than expected."
        => "correct the line at the member and byte named";
    "BH-MSG-041": "A line of a recording lacks a member that every line needs."
        => "add the member; the text shows the least that a line holds";
    "BH-MSG-042": "A number in a line of a recording is out of its range."
        => "write a number within the range that the text names";

    // Types, topics and services.
    "BH-MSG-050": "Two plugins register different types under one name; the first one counts."
        => "build both against the same version of the type, or give one another package or version";
    "BH-MSG-060": "A name is not a topic name."
        => "write parts with `/` between them, none of them empty, without control characters";
    "BH-MSG-061": "A topic was subscribed to as another type than it carries."
        => "subscribe to the type that the text names, or to another topic";
    "BH-MSG-062": "A type was used for a topic or a service before it was registered."
        => "register the type in the plugin's `register`";
    "BH-MSG-063": "The name of a service is taken by another plugin of the vehicle."
        => "give one of the two services another name";
    "BH-MSG-064": "A plugin published more between two steps than the host keeps; what came beyond that is counted as dropped."
        => "publish at the pace of the simulation, from `sample` or `control`, or pace the plugin's own thread";

    // Meshes.
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
    "BH-PHY-010": "A joint is of a type that is not simulated where it stands: between models, or in a loop of nothing but threads and gears."
        => "put what it joins into one model, or use fixed, revolute, continuous, prismatic or ball";
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
    "BH-PHY-026": "A gearbox has no two revolute joints to couple, or a ratio that is none; the model is left out."
        => "join parent and child to the reference body by revolute joints along `<axis>` and `<axis2>`";
    "BH-PHY-027": "The pitch of a screw is zero, too small or too large; the model is left out."
        => "give the metres per turn in `<screw_thread_pitch>`; use a revolute joint for no pitch at all";
    "BH-PHY-028": "A joint is to follow another one that it cannot follow; the model is left out."
        => "follow another joint that has a position, not in a circle";

    // The world.
    "BH-PHY-050": "A command names a link, joint or model that does not exist."
        => "use the handles that the model extension gives";
    "BH-PHY-051": "A command holds a number that is not finite."
        => "look for a division by zero in the plugin that gives the command";
    "BH-PHY-052": "A plugin asked to fix two links of one model to each other."
        => "tie links of different models; links of one model are tied by a `<joint>`";
    "BH-PHY-053": "A text that should be spawned is not SDF with exactly one model."
        => "give one `<model>`, alone or in an `<sdf>` document, without errors";
    "BH-PHY-054": "A model should be spawned under a name that is taken."
        => "choose another name, or allow renaming";
    "BH-PHY-055": "An entity with sensors or plugins should be removed during the run."
        => "remove entities without plugins only";
    "BH-PHY-056": "A plugin wants to place or push an actor, which its script leads."
        => "place or push a model; an actor walks as its `<script>` says";
    "BH-PHY-060": "The physics settings of the world cannot be used."
        => "correct `<physics>` or `<gravity>` as the text says";
    "BH-PHY-061": "The world has joints between its models, which are not simulated yet; they are left out."
        => "put what belongs together into one model, or nest one model in the other";
    "BH-PHY-062": "A collision has a geometry that is not simulated yet; nothing touches or sees it."
        => "put a mesh, heightmap, polyline, box, sphere, cylinder, capsule, cone, ellipsoid or plane in its place";

    // Plugins while they run; their files are in a table of their own.
    "BH-PLG-090": "A parameter of a plugin was read by nobody."
        => "check its spelling against the plugin's documentation, or remove it";
    "BH-PLG-091": "A thread of a plugin did not end in time; what it may still use is kept until the process ends."
        => "bound every wait in the thread, and let it end when the host asks for it";
    "BH-PLG-092": "A plugin hangs in its start and was left alone."
        => "bound the waits in the plugin's `start`";
    "BH-PLG-093": "No plugin of that name or id is loaded."
        => "check the spelling against `bridgehead plugin list`, or add its folder with `--plugin-path`";
    "BH-PLG-094": "An instance of a plugin could not be made."
        => "see the reason given by the plugin; often a parameter is wrong";
    "BH-PLG-095": "A call to a plugin failed; the plugin is left out from then on."
        => "see the reason given by the plugin; `on_failure` in the configuration file says what becomes of the run";
    "BH-PLG-096": "A plugin failed while it registered its message types."
        => "see the status and the lines before it";
    "BH-PLG-097": "A plugin could not start; the run goes on without it unless `--strict` is given."
        => "see the reason given by the plugin";
    "BH-PLG-098": "A plugin has not started in time."
        => "raise `start_timeout` in the configuration file, or look for waits in the plugin's `start`";
    "BH-PLG-108": "A plugin crashed, and the process with it: nothing inside a process can contain that."
        => "run it under a debugger, or `bridgehead plugin probe` on its file; docs/plugin-outcomes.md says what else is contained";
    "BH-PLG-109": "A plugin ended the process with `exit`; the run counts as aborted."
        => "return an error, or ask for the end through the lifecycle extension";

    // Names in worlds.
    "BH-PLG-110": "A world names a sensor type or a plugin of another simulator that has no counterpart here yet."
        => "see docs/names.md for what is served; the rest of the world runs without it";
    "BH-PLG-111": "A call into a plugin took longer than its budget; only the first, second, fourth, … of a plugin are told."
        => "let the plugin do less in one call, or set `call_budget` in the configuration file";
    "BH-PLG-112": "A plugin took longer than its budget several times in a row, and is left out."
        => "let the plugin do less in one call, or set `call_budget` and `overruns` in the configuration file";
    "BH-PLG-113": "A call into a plugin did not return, and the run with it: a thread cannot be ended from outside."
        => "look for a lock, a socket or a loop without end in that call; `call_timeout` in the configuration file says how long to wait";

    // The lifecycle: requests that were not granted.
    "BH-SIM-100": "A request does not fit between two states; it waits for the next one."
        => "nothing has to be done";
    "BH-SIM-101": "What a request asks for is already so."
        => "nothing has to be done";
    "BH-SIM-102": "The state lacks what a request needs, for example a world."
        => "load a world, or start the run, first";
    "BH-SIM-103": "No way leads from this state to the one asked for."
        => "see docs/lifecycle.md for the ways there are";
    "BH-SIM-104": "A request makes sense, but not now."
        => "ask again after what the text names";
    "BH-SIM-105": "Work reported its end after it had been given up; the report is ignored."
        => "nothing has to be done";
    "BH-SIM-110": "Two plugin instances have the same name."
        => "give each instance a name of its own";
    "BH-SIM-111": "A plugin instance reported its start that nobody had asked to start."
        => "report only for instances that were told to start";

    // The run.
    "BH-SIM-200": "A finding ends the run before it began, because of `--strict`."
        => "see the finding's own code, or run without `--strict`";
    "BH-SIM-201": "An output file of the run cannot be opened for writing."
        => "make its folder first, or name another file";
    "BH-SIM-203": "An output file cannot be written any further; the run goes on without it."
        => "free some space, or name a file on another disk";
    "BH-SIM-204": "A command cannot be written to the command file; the others are."
        => "see the reason; the message may not be of its topic's type";
    "BH-SIM-205": "The step width is not a positive time."
        => "set `<max_step_size>` in the world, or `step_width` in the configuration file";
    "BH-SIM-206": "The world cannot be saved."
        => "name a file in a folder that can be written to, other than the one that was loaded";
    "BH-SIM-207": "A saved world means something else where it was saved, for it refers to files by where they lie."
        => "save it into the folder of the world it comes from, or set the search path";
    "BH-SIM-208": "The run is to use a physics profile that the world does not have."
        => "use one of the names listed, or none for the world's default";
    "BH-SIM-209": "A plugin failed to give the elements it has for a saved world."
        => "read its reason; the world is saved without them";
    "BH-SIM-210": "The path of an `[[override]]` is no pattern."
        => "write a path such as `car1/chassis/imu`; `*` and `?` stand for what you do not name";
    "BH-SIM-211": "An `[[override]]` is for a sensor or plugin that the world does not have."
        => "use one of the paths that the text lists";
    "BH-SIM-212": "A `[[sensor]]` is for a link that the vehicle does not have."
        => "use one of the links that the text lists";
    "BH-SIM-213": "A `[[sensor]]` has the path of another sensor."
        => "give it another name, or change the other one with `[[override]]`";
    "BH-SIM-214": "A `[[sensor]]` stands on a parent that is not there, or on itself by way of its parents."
        => "name another `[[sensor]]` of the same vehicle as `parent`";
    "BH-SIM-220": "A snapshot cannot be read, or is not a whole one."
        => "take it again with this version of the program";
    "BH-SIM-221": "A snapshot is of another world than the one it should be restored onto."
        => "restore it onto the file that it was taken of, unchanged, with the same width of a step";
    "BH-SIM-222": "A snapshot cannot be written."
        => "name a file in a folder that can be written to";
    "BH-SIM-223": "What a plugin remembers is not in a snapshot."
        => "use plugins that `bridgehead plugin list` calls exact, or tell the author of the plugin to implement `save` and `load`";
    "BH-SIM-224": "A plugin does not take back what it remembered, and begins as after a reset."
        => "restore with the version of the plugin that the snapshot was taken with";
    "BH-SIM-900": "A function of the host panicked; the plugin that called it got the status PANIC."
        => "report it, with the log: this is a defect of the host";
    "BH-SIM-901": "The process crashed outside of any call to a plugin: in the host, or in a thread that a plugin made itself."
        => "run it under a debugger; without plugins that make threads of their own it is a defect of the host";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_sorted_codes_with_a_sentence_and_advice() {
        assert!(CATALOGUE.is_sorted_by(|a, b| a.code < b.code), "sorted, and each code once");
        for entry in CATALOGUE {
            assert!(is_code(entry.code), "{}", entry.code);
            assert!(entry.meaning.ends_with('.'), "{}: {}", entry.code, entry.meaning);
            assert!(!entry.advice.is_empty() && !entry.advice.ends_with('.'), "{}", entry.code);
        }
    }

    #[test]
    fn a_code_is_an_area_and_a_number() {
        assert!(is_code("BH-SIM-900"));
        for text in
            ["", "BH-", "BH-SIM", "BH-SIM-90", "BH-SIM-9000", "BH-sim-900", "BH-SIM-9x0", " BH-SIM-900"]
        {
            assert!(!is_code(text), "{text}");
        }
    }
}
