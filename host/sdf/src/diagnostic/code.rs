//! The table of all findings: code, cost, meaning, advice. Messages, tests and the page of error codes are
//! generated from it. A released number never gets another meaning.

use std::fmt;

use super::severity::Severity;

/// What a finding costs the simulation, which decides its severity in every command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// Nothing: for information.
    Nothing,
    /// A value, a look or a behaviour is not the one that the author wrote.
    Detail,
    /// A part of the world is missing: a file, a model, a collision, a joint.
    Part,
    /// A part or a detail, depending on the place of the finding.
    Depends,
}

impl Cost {
    /// Returns the severity of a finding; `loses_part` decides for those that depend on their place.
    #[must_use]
    pub const fn severity(self, loses_part: bool) -> Severity {
        match (self, loses_part) {
            (Cost::Nothing, _) => Severity::Note,
            (Cost::Part, _) | (Cost::Depends, true) => Severity::Error,
            (Cost::Detail, _) | (Cost::Depends, false) => Severity::Warning,
        }
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $number:literal, $cost:ident, $meaning:literal, $advice:literal;)*) => {
        /// The kind of a finding, or of an edit that was refused.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code {
            $(#[doc = $meaning] $name,)*
        }

        impl Code {
            /// Every code, in the order of the numbers.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// The number in `BH-SDF-nnn`.
            #[must_use]
            pub const fn number(self) -> u16 {
                match self { $(Self::$name => $number,)* }
            }

            /// What it costs the simulation.
            #[must_use]
            pub const fn cost(self) -> Cost {
                match self { $(Self::$name => Cost::$cost,)* }
            }

            /// The meaning, as one sentence.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$name => $meaning,)* }
            }

            /// What to try; may be empty.
            #[must_use]
            pub const fn advice(self) -> &'static str {
                match self { $(Self::$name => $advice,)* }
            }
        }
    };
}

codes! {
    Unreadable = 1, Depends, "A file cannot be read.", "check the path and the permissions";
    Empty = 2, Part, "A file contains no element.", "the smallest file that loads is `<sdf version=\"1.9\"><world name=\"w\"/></sdf>`";
    NotXml = 3, Part, "The text is not XML from this position on.", "look for a missing or misplaced end tag, quote or `>` at or before this position";
    NotSdf = 4, Part, "The root element is not `<sdf>`.", "give an SDF, URDF or MJCF file";
    Version = 5, Depends, "The SDF version is missing or not supported.", "write the version of the file, 1.4 to 1.12, or convert the file to one of them";
    NothingToLoad = 6, Part, "`<sdf>` contains neither a world nor a model.", "put a `<world>` or a `<model>` inside `<sdf>`";
    TooDeep = 7, Part, "Elements are nested too deeply.", "look for a start tag that is never closed";
    LimitExceeded = 8, Part, "A limit of reading is exceeded; nothing is loaded.", "the limits are listed in the guide on worlds";
    Cancelled = 9, Part, "The reading was cancelled; nothing is loaded.", "";
    ValueInvalid = 10, Depends, "A text or attribute has an invalid value; the default is used.", "correct the value or remove the element";
    ElementMissing = 11, Depends, "A required element is missing.", "add the element";
    AttributeMissing = 12, Detail, "A required attribute is missing.", "add the attribute";
    ElementRepeated = 13, Detail, "An element that may occur once occurs several times; the first one is used.", "remove the others";
    NotSimulated = 14, Nothing, "An element is kept in the file but has no effect on the simulation.", "";
    UnknownElement = 15, Detail, "SDF has no such element at this place; it is kept in the file but has no effect.", "check the spelling and the parent element";
    WaypointRepeated = 16, Detail, "Several waypoints of a trajectory have the same time; the last one is used.", "give each its own time, or remove the others";
    DuplicateName = 20, Depends, "Two siblings have the same name.", "give each its own name";
    ReservedName = 21, Detail, "A name is reserved by SDF: `world`, or anything between double underscores.", "choose another name";
    NameInvalid = 22, Detail, "A name is empty, longer than 255 bytes, or contains `::`, which separates scopes.", "choose a shorter name without `::`";
    AttachedToInvalid = 30, Detail, "`attached_to` does not name a frame of this scope.", "name a frame, link, joint or model of the same scope";
    AttachedToCycle = 31, Detail, "Frames are attached to each other in a cycle.", "attach one of them to a link or to the model";
    RelativeToInvalid = 32, Detail, "`relative_to` does not name a frame of this scope.", "name a frame, link, joint or model of the same scope";
    RelativeToCycle = 33, Detail, "Poses are relative to each other in a cycle.", "make one of them relative to the model or the world";
    CanonicalLinkInvalid = 34, Detail, "`canonical_link` does not name a link of the model.", "name a link of the model or remove the attribute";
    PlacementFrameInvalid = 35, Detail, "`placement_frame` does not name a frame of the model.", "name a frame, link or joint of the model";
    ModelWithoutLink = 36, Detail, "A model that is not static has no link.", "add a `<link>`, or make the model static";
    JointParentInvalid = 40, Part, "A joint's parent is not a link or frame of this scope; the joint is left out.", "name a link, frame or model of the same scope, or `world`";
    JointChildInvalid = 41, Part, "A joint's child is not a link or frame of this scope; the joint is left out.", "name a link, frame or model of the same scope";
    JointParentSameAsChild = 42, Part, "A joint connects a link to itself; it is left out.", "name two different links";
    AxisFrameInvalid = 43, Detail, "`expressed_in` does not name a frame of this scope.", "name a frame, link, joint or model of the same scope";
    JointTypeInvalid = 44, Detail, "A joint's type is not one of SDF's; the joint is fixed.", "use revolute, continuous, prismatic, fixed, ball, universal, revolute2, screw or gearbox";
    MimicInvalid = 45, Detail, "An axis has a `<mimic>` that it cannot follow; it moves independently.", "name another joint of the same model that has a position, without cycles, and use finite numbers";
    GearboxInvalid = 46, Part, "The reference body of a gearbox is not a link or frame of this scope; the gearbox is left out.", "name the link to which revolute joints connect both gears";
    ModellingChosen = 47, Nothing, "`<bridgehead:joints>` has no effect, because every tree of joints is exact.", "remove the element";
    InertiaInvalid = 50, Detail, "Mass or inertia is physically impossible.", "mass and all principal moments must be positive, and no moment may exceed the sum of the other two";
    GeometryInvalid = 51, Depends, "A geometry has no valid shape.", "give one shape with positive sizes";
    UriNotFound = 60, Depends, "An address was not found.", "check the spelling, or set `GZ_SIM_RESOURCE_PATH` or `GAZEBO_MODEL_PATH` to the folder that contains the model";
    UriNotLocal = 61, Depends, "An address is on the network; nothing is fetched.", "download the model with `gz fuel download -u ADDRESS`, or by hand and set `GZ_SIM_RESOURCE_PATH` to the folder that contains it";
    IncludeCycle = 62, Part, "A file includes itself, directly or through others; the inner include is left out.", "remove one of the includes";
    ModelConfigInvalid = 63, Depends, "`model.config` does not name a usable SDF file.", "add `<sdf version=\"1.9\">model.sdf</sdf>` to it";
    MergeNotSupported = 64, Detail, "A model with links cannot be merged into a world; it is loaded as a model instead.", "leave `merge=\"true\"` out, or merge it into a model";
    TextureNotFound = 65, Detail, "The image of a texture was not found on this machine; the surface is drawn without it.", "check the spelling, or add the folder that contains it to the search path";
    EditElsewhere = 70, Detail, "An edit is for an element of another document.", "edit the document it was read from";
    EditOverChildren = 71, Detail, "The text of an element that contains elements cannot be set.", "edit these elements";
    EditOverlap = 72, Detail, "Two edits change the same text.", "combine them into one edit";
    EditNotXml = 73, Detail, "The text to write is not well-formed XML.", "give one complete element, or a valid name";
    EditRemovesRoot = 74, Detail, "The root element cannot be removed.", "delete the file instead";
    SaveNotOwn = 75, Detail, "A change of a model or plugin cannot be saved, because the saved file has no element of its own for it.", "include the model with an `<include>` of its own, or change the file that defines it";
    SaveNotPlaced = 76, Detail, "A model would have another pose when the saved world is loaded again.", "give the model its own pose, relative to the world";
    SaveNoSuch = 77, Detail, "The element to change is not in the world.", "name an existing element";
    PathMalformed = 78, Detail, "The path of a value is malformed.", "write `world.model[NAME].link[NAME].inertial.mass`, with `.@NAME` at the end for an attribute";
    PathNowhere = 79, Detail, "The path of a value leads to no element or attribute of the world.", "write the element into the file, or correct the path";
    PathAmbiguous = 80, Detail, "The path of a value leads to several elements.", "put the name or the number of one into brackets";
    ValueUnusable = 81, Part, "A value that the configuration sets cannot be used.", "correct the value, or the path to which it is set";
    UrdfXacro = 100, Part, "A xacro source was not expanded.", "install the program with `pip install xacro`, and give what the file asks for with `--arg NAME=VALUE`; what is given as a text, and not as a file, is never expanded";
    UrdfNoLink = 101, Part, "A URDF has no link that can become a body.", "add a `<link name=\"base_link\"/>` with an `<inertial>`";
    UrdfLinkUnknown = 102, Part, "A joint in a URDF names a link that does not exist.", "check the spelling, or add the link";
    UrdfTwoParents = 103, Part, "A link in a URDF is the child of two joints, but a URDF is a tree.", "remove one of the joints; a closed loop has to be written in SDF";
    UrdfCycle = 104, Part, "Joints in a URDF form a cycle.", "remove a joint, so that one link, the root, is not the child of any joint";
    UrdfSeveralRoots = 105, Part, "A URDF has several root links, but it must be one tree.", "connect the parts with a joint, or put each into its own file";
    UrdfNameChanged = 110, Detail, "A name in a URDF or MJCF was changed, because SDF does not allow it or it is taken.", "choose a unique name without `::`, other than `world`; until then, plugins must use the changed name";
    UrdfFolded = 111, Nothing, "A link without mass on a fixed joint became a frame of the body it is fixed to.", "";
    UrdfMassInvented = 112, Detail, "A moving link in a URDF has no mass; it was given a small one.", "add an `<inertial>` with the mass of the part, or `<gazebo><static>true</static></gazebo>` if it never moves";
    UrdfMaterialUnknown = 113, Detail, "A material in a URDF is used but not defined.", "add `<material name=\"…\"><color rgba=\"…\"/></material>` to the robot";
    UrdfJointTypeInvalid = 114, Detail, "A joint's type is not one of URDF's; the joint is fixed.", "use revolute, continuous, prismatic, fixed, floating or planar";
    UrdfJointFree = 115, Detail, "A floating or planar joint has no counterpart in SDF; its child moves freely.", "for planar motion use two prismatic joints and a revolute one";
    UrdfLimitInvalid = 116, Detail, "The limits of a joint in a URDF are implausible.", "give lower below upper, and effort and velocity above 0";
    UrdfMimicInvalid = 117, Detail, "A mimic relation in a URDF is invalid and was left out.", "name another joint that is revolute, continuous or prismatic";
    UrdfControlled = 118, Nothing, "The joints of a `<ros2_control>` are driven by plugins, which take the commands of controllers outside of the host.", "";
    UrdfParametersInvalid = 119, Detail, "A file of parameters for `ros2_control` cannot be read.", "correct the file, or its path: from xacro it is absolute, otherwise it is relative to the URDF";
    UrdfNotConverted = 120, Nothing, "An element of URDF has no counterpart in SDF and was left out.", "no action is needed, unless the simulation depends on it";
    UrdfUnknown = 121, Detail, "An element or attribute is not part of URDF and was left out.", "check the spelling and the parent element; put settings for Gazebo inside `<gazebo>`";
    UrdfReferenceUnknown = 122, Detail, "`<gazebo reference>` does not name a link or a joint; it was left out.", "check the spelling; a sensor belongs to a link";
    UrdfExtensionLost = 123, Detail, "A `<gazebo>` setting has no element that it can apply to, and was left out.", "give the link its own mass, or move the setting to the body it is fixed to";
    UrdfControllerLeftOut = 124, Detail, "A controller of a file of parameters has no counterpart, or lacks what it needs.", "see the types of controllers on the page about ROS; or run `ros2_control_node` outside, with hardware that speaks topics";
    MjcfNoBody = 130, Part, "An MJCF has nothing to simulate.", "add a `<body>` or a `<geom>` to `<worldbody>`";
    MjcfMassInvented = 131, Detail, "A moving body in an MJCF has no mass; it was given a small one.", "add an `<inertial>`, or a geom with mass";
    MjcfReferenceUnknown = 132, Detail, "An attribute in an MJCF names something that does not exist.", "check the spelling";
    MjcfChanged = 133, Nothing, "Something in an MJCF has another form in SDF.", "";
    MjcfControlled = 134, Nothing, "The joints of the actuators of an MJCF are driven by plugins, which take commands on a topic.", "";
    MjcfNotConverted = 135, Nothing, "Elements or attributes of MJCF have no counterpart in SDF and were left out.", "no action is needed, unless the simulation depends on them";
    MjcfUnknown = 136, Detail, "Elements or attributes are not part of MJCF at this place and were left out.", "check the spelling and the parent element";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BH-SDF-{:03}", self.number())
    }
}
