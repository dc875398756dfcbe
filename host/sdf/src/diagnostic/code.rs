//! The table of all findings: code, meaning, advice. Messages, tests and the page of error codes are
//! generated from it. A released number never gets another meaning.

use std::fmt;

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $number:literal, $meaning:literal, $advice:literal;)*) => {
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
    Unreadable = 1, "A file cannot be read.", "check the path and the permissions";
    Empty = 2, "A file holds no element at all.", "the least that loads is `<sdf version=\"1.9\"><world name=\"w\"/></sdf>`";
    NotXml = 3, "The text is not XML from this place on.", "look for a missing or crossed end tag, quote or `>` at or before this place";
    NotSdf = 4, "The outermost element is not `<sdf>`.", "give an SDF or a URDF file";
    Version = 5, "The SDF version is missing or not one of those read.", "write the version the file follows, 1.4 to 1.12, or convert the file to one of them";
    NothingToLoad = 6, "`<sdf>` holds neither a world nor a model.", "put a `<world>` or a `<model>` inside `<sdf>`";
    TooDeep = 7, "Elements are nested deeper than any real file does.", "look for a start tag that is never closed";
    ValueInvalid = 10, "A text or attribute is not of the kind that stands here; the default is used.", "correct the value or remove the element";
    ElementMissing = 11, "A required element is missing.", "add the element";
    AttributeMissing = 12, "A required attribute is missing.", "add the attribute";
    ElementRepeated = 13, "An element that may stand once stands several times; the first counts.", "remove the others";
    NotSimulated = 14, "An element is kept in the file but has no effect on the simulation.", "";
    UnknownElement = 15, "An element is not part of SDF here; it is kept in the file but has no effect.", "check the spelling and where it stands";
    WaypointRepeated = 16, "Several waypoints of a trajectory have the same time; the last of them counts.", "give each a time of its own, or remove the others";
    DuplicateName = 20, "Two siblings have the same name.", "give each its own name";
    ReservedName = 21, "A name is reserved by SDF: `world`, or anything between double underscores.", "choose another name";
    NameInvalid = 22, "A name is empty or holds `::`, which separates scopes.", "choose a name without `::`";
    AttachedToInvalid = 30, "`attached_to` names no frame of this scope.", "name a frame, link, joint or model of the same scope";
    AttachedToCycle = 31, "Frames are attached to each other in a circle.", "attach one of them to a link or to the model";
    RelativeToInvalid = 32, "`relative_to` names no frame of this scope.", "name a frame, link, joint or model of the same scope";
    RelativeToCycle = 33, "Poses are relative to each other in a circle.", "make one of them relative to the model or the world";
    CanonicalLinkInvalid = 34, "`canonical_link` names no link of the model.", "name a link of the model or remove the attribute";
    PlacementFrameInvalid = 35, "`placement_frame` names no frame of the model.", "name a frame, link or joint of the model";
    ModelWithoutLink = 36, "A model that may move has no link.", "add a `<link>`, or make the model static";
    JointParentInvalid = 40, "A joint's parent is no link or frame of this scope; the joint is left out.", "name a link, frame or model of the same scope, or `world`";
    JointChildInvalid = 41, "A joint's child is no link or frame of this scope; the joint is left out.", "name a link, frame or model of the same scope";
    JointParentSameAsChild = 42, "A joint ties a link to itself; it is left out.", "name two different links";
    AxisFrameInvalid = 43, "`expressed_in` names no frame of this scope.", "name a frame, link, joint or model of the same scope";
    JointTypeInvalid = 44, "A joint's type is not one of SDF's; the joint is fixed.", "use revolute, continuous, prismatic, fixed, ball, universal, revolute2, screw or gearbox";
    MimicInvalid = 45, "An axis is to follow another one that it cannot follow; it moves on its own.", "name another joint of the same model that has a position, not in a circle, and finite numbers";
    GearboxInvalid = 46, "The reference body of a gearbox is no link or frame of this scope; the gearbox is left out.", "name the link to which revolute joints join both gears";
    ModellingNested = 47, "A nested model chooses how its joints are modelled; only the outermost one can.", "move `<bridgehead:joints>` into the outermost `<model>` or its `<include>`";
    InertiaInvalid = 50, "Mass or inertia cannot belong to a real body.", "mass and all principal moments must be positive, and no moment may exceed the sum of the other two";
    GeometryInvalid = 51, "A geometry has no shape that can be used.", "give one shape with positive sizes";
    UriNotFound = 60, "An address was found nowhere.", "check the spelling, or add the folder that holds it to the search path";
    UriNotLocal = 61, "An address lies on the network; nothing is fetched.", "download the model, with `gz fuel download` or by hand, and give its folder on the search path";
    IncludeCycle = 62, "A file includes itself, directly or through others; the inner include is left out.", "break the circle";
    ModelConfigInvalid = 63, "`model.config` names no usable SDF file.", "add `<sdf version=\"1.9\">model.sdf</sdf>` to it";
    MergeNotSupported = 64, "A model with links cannot be merged into a world; it is loaded as a model instead.", "leave `merge=\"true\"` out, or merge it into a model";
    EditElsewhere = 70, "An element to edit is not of the document edited.", "edit the document it was read from";
    EditOverChildren = 71, "The text of an element that holds elements was to be set.", "edit the elements in it";
    EditOverlap = 72, "Two edits want the same text.", "make one edit of them";
    EditNotXml = 73, "What was to be written is not well-formed XML.", "give one whole element, or a plain name";
    EditRemovesRoot = 74, "The outermost element was to be removed.", "delete the file instead";
    SaveNotOwn = 75, "A change of a model cannot be written back, for the model comes from a part of another file.", "include the model by itself, or change the file it comes from";
    SaveNotPlaced = 76, "A model stands elsewhere when the saved world is loaded again.", "give the model a pose of its own, relative to the world";
    SaveNoSuch = 77, "What was to be changed is not in the world.", "name something that is there";
    UrdfXacro = 100, "A file is a xacro source, not a URDF.", "run `xacro robot.urdf.xacro > robot.urdf` first and give the result";
    UrdfNoLink = 101, "A robot in URDF has no link that could become a body.", "add a `<link name=\"base_link\"/>` with an `<inertial>`";
    UrdfLinkUnknown = 102, "A joint in URDF names a link that is not there.", "check the spelling, or add the link";
    UrdfTwoParents = 103, "A link in URDF is the child of two joints, where a URDF is a tree.", "remove one of the joints; a closed loop has to be written in SDF";
    UrdfCycle = 104, "Joints in URDF lead in a circle.", "one link must be the child of no joint";
    UrdfSeveralRoots = 105, "Several links in URDF are the child of no joint, where a URDF is one tree.", "join the parts with a joint, or put each into a file of its own";
    UrdfNameChanged = 110, "A name in URDF is not allowed in SDF, or is taken there, and was changed.", "choose a name that neither a link nor a joint has, without `::`, and not `world`; plugins must use the new one";
    UrdfFolded = 111, "A link without mass that hangs on a fixed joint became a frame of the body it is fixed to.", "";
    UrdfMassInvented = 112, "A link in URDF that moves has no mass; it was given a small one.", "add an `<inertial>` with the mass of the part, or `<gazebo><static>true</static></gazebo>` for what never moves";
    UrdfMaterialUnknown = 113, "A material in URDF is named that is defined nowhere.", "add `<material name=\"…\"><color rgba=\"…\"/></material>` to the robot";
    UrdfJointTypeInvalid = 114, "A joint's type is not one of URDF's; the joint is fixed.", "use revolute, continuous, prismatic, fixed, floating or planar";
    UrdfJointFree = 115, "A floating or planar joint has no counterpart in SDF; its child moves freely.", "for planar motion use two prismatic joints and a revolute one";
    UrdfLimitInvalid = 116, "The limits of a joint in URDF do not mean what they say.", "give lower below upper, and effort and velocity above 0";
    UrdfMimicInvalid = 117, "A mimic relation in URDF leads nowhere and was left out.", "name another joint that is revolute, continuous or prismatic";
    UrdfNotConverted = 120, "An element of URDF has no counterpart in SDF and was left out.", "nothing has to be done unless the simulation should use it";
    UrdfUnknown = 121, "An element or attribute is not part of URDF and was left out.", "check the spelling and where it stands; what Gazebo shall see stands inside `<gazebo>`";
    UrdfReferenceUnknown = 122, "`<gazebo reference>` names no link and no joint; it was left out.", "check the spelling; a sensor belongs to a link";
    UrdfExtensionLost = 123, "A `<gazebo>` setting has nothing that it could apply to and was left out.", "give the link a mass of its own, or move the setting to the body it is fixed to";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BH-SDF-{:03}", self.number())
    }
}
