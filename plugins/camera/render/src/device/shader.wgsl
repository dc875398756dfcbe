// Draws visuals. Positions are in the axes of the world, relative to the camera, in metres. Colours are linear.
//
// A software driver executes every branch, so what a pipeline does not need is left out of it by the constants below.

override LIGHTS: u32 = 0u;
// Some light is not directional.
override LAMPS: bool = true;
override SHADOWS: bool = true;
// The first light is directional and has a shadow.
override SUN: bool = false;
override FOG: bool = true;
// What a surface has.
override COLOR_MAP: bool = true;
override NORMAL_MAP: bool = true;
override ROUGHNESS_MAP: bool = true;
override METALNESS_MAP: bool = true;
override EMISSIVE_MAP: bool = true;
override OCCLUSION_MAP: bool = true;
override DOUBLE_SIDED: bool = true;
override CUTOFF: bool = true;
override UNLIT: bool = false;
override PHYSICAL: bool = false;
override METAL: bool = false;
override HIGHLIGHTS: bool = true;

struct Camera {
    // From positions to clip space, with a depth of 1 at the near plane and 0 at the far plane.
    projection: mat4x4<f32>,
    // Unit vector along the optical axis; w: share of the day, 0 (night) to 1.
    forward: vec4<f32>,
    // Step from a pixel to the one on its right, and to the one below, at a depth of 1; and the direction of pixel (0, 0).
    right: vec4<f32>,
    down: vec4<f32>,
    corner: vec4<f32>,
    ambient: vec4<f32>,
    // Colour; w: 0 without fog, 1 constant, 2 linear, 3 quadratic.
    fog: vec4<f32>,
    // Start, end and density.
    fog_range: vec4<f32>,
    // Bits of infinity, which the language cannot write.
    infinity: vec4<u32>,
}

struct Light {
    // Position; w: 0 point, 1 spot, 2 directional.
    position: vec4<f32>,
    // Unit vector in which it shines; w: range.
    direction: vec4<f32>,
    // Colours with the intensity; w: constant and linear attenuation.
    diffuse: vec4<f32>,
    specular: vec4<f32>,
    // Cosines of half the inner and half the outer angle, falloff, quadratic attenuation.
    cone: vec4<f32>,
    // Layer of its shadow map plus one; 0 without a shadow.
    shadow: vec4<u32>,
    shadow_matrix: mat4x4<f32>,
}

struct Material {
    // Colour and opacity.
    diffuse: vec4<f32>,
    // w: shininess.
    specular: vec4<f32>,
    emissive: vec4<f32>,
    // Metalness, roughness, opacity below which nothing is drawn.
    physical: vec4<f32>,
}

@group(0) @binding(0) var<uniform> camera: Camera;
@group(0) @binding(1) var<uniform> lights: array<Light, 16>;
@group(0) @binding(2) var<storage, read> materials: array<Material>;
@group(0) @binding(3) var shadow_maps: texture_depth_2d_array;
@group(0) @binding(4) var shadow_sampler: sampler_comparison;

@group(1) @binding(0) var map_sampler: sampler;
@group(1) @binding(1) var color_map: texture_2d<f32>;
@group(1) @binding(2) var normal_map: texture_2d<f32>;
@group(1) @binding(3) var roughness_map: texture_2d<f32>;
@group(1) @binding(4) var metalness_map: texture_2d<f32>;
@group(1) @binding(5) var emissive_map: texture_2d<f32>;
@group(1) @binding(6) var occlusion_map: texture_2d<f32>;

struct Vertex {
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>,
    // Rotation as a quaternion; translation and opacity; scale; number of the visual and its material.
    @location(3) rotation: vec4<f32>,
    @location(4) place: vec4<f32>,
    @location(5) scale: vec4<f32>,
    @location(6) which: vec4<u32>,
}

struct Fragment {
    @builtin(position) clip: vec4<f32>,
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>,
    @location(3) @interpolate(flat) number: u32,
    // The material, read once for each corner instead of for each pixel.
    @location(4) @interpolate(flat) diffuse: vec4<f32>,
    @location(5) @interpolate(flat) specular: vec4<f32>,
    @location(6) @interpolate(flat) emissive: vec3<f32>,
    @location(7) @interpolate(flat) physical: vec3<f32>,
    // Where the shadow map of the sun shows the surface; see `shadow_place`.
    @location(8) sun_place: vec3<f32>,
}

fn rotate(q: vec4<f32>, v: vec3<f32>) -> vec3<f32> {
    let t = 2.0 * cross(q.xyz, v);
    return v + q.w * t + cross(q.xyz, t);
}

// Column and row in the shadow map, 0 to 1, and depth, of a point a little above the surface: its own triangles must not
// shade it. To be divided by w.
fn shadow_place(light: Light, position: vec3<f32>, normal: vec3<f32>) -> vec4<f32> {
    let at = light.shadow_matrix * vec4(position + normal * bitcast<f32>(light.shadow.y), 1.0);
    return vec4(at.x * 0.5 + at.w * 0.5, at.w * 0.5 - at.y * 0.5, at.zw);
}

@vertex
fn visual(in: Vertex) -> Fragment {
    var out: Fragment;
    out.position = rotate(in.rotation, in.position * in.scale.xyz) + in.place.xyz;
    out.clip = camera.projection * vec4(out.position, 1.0);
    out.normal = rotate(in.rotation, in.normal / in.scale.xyz);
    out.uv = in.uv;
    out.number = in.which.x;
    let material = materials[in.which.y];
    out.diffuse = vec4(material.diffuse.rgb, material.diffuse.a * in.place.w);
    out.specular = material.specular;
    out.emissive = material.emissive.rgb;
    out.physical = material.physical.xyz;
    if SUN {
        // Linear in the position, so that the corners of a triangle are enough.
        out.sun_place = shadow_place(lights[0], out.position, normalize(out.normal)).xyz;
    }
    return out;
}

@vertex
fn shadow(in: Vertex) -> @builtin(position) vec4<f32> {
    let position = rotate(in.rotation, in.position * in.scale.xyz) + in.place.xyz;
    return camera.projection * vec4(position, 1.0);
}

// The direction of the surface, from its map if there is one. The axes of the map follow from how position and texture
// coordinates change between pixels, so that meshes need no tangents.
fn surface_normal(in: Fragment, is_front: bool) -> vec3<f32> {
    var normal = normalize(in.normal);
    if DOUBLE_SIDED && !is_front {
        normal = -normal;
    }
    if !NORMAL_MAP {
        return normal;
    }
    let p_x = dpdx(in.position);
    let p_y = dpdy(in.position);
    let uv_x = dpdx(in.uv);
    let uv_y = dpdy(in.uv);
    let across = cross(p_y, normal);
    let along = cross(normal, p_x);
    let tangent = across * uv_x.x + along * uv_y.x;
    let bitangent = across * uv_x.y + along * uv_y.y;
    let size = max(dot(tangent, tangent), dot(bitangent, bitangent));
    let texel = textureSample(normal_map, map_sampler, in.uv).xyz * 2.0 - 1.0;
    if size <= 0.0 {
        return normal;
    }
    // Texture coordinates point down in the image, and the y of its directions points up.
    let scale = inverseSqrt(size);
    return normalize(tangent * scale * texel.x - bitangent * scale * texel.y + normal * texel.z);
}

// Share of a light that is not blocked on its way to the surface.
fn lit_share(light: Light, place: vec4<f32>) -> f32 {
    if !SHADOWS || light.shadow.x == 0u {
        return 1.0;
    }
    let map = place.xyz / place.w;
    if place.w <= 0.0 || any(map.xy < vec2(0.0)) || any(map.xy > vec2(1.0)) {
        return 1.0;
    }
    // The map ends behind the last thing that casts a shadow: what is farther is compared with that end.
    return textureSampleCompareLevel(shadow_maps, shadow_sampler, map.xy, i32(light.shadow.x) - 1, min(map.z, 1.0));
}

struct Incoming {
    // Towards the light.
    direction: vec3<f32>,
    strength: f32,
}

fn incoming(light: Light, position: vec3<f32>) -> Incoming {
    var out: Incoming;
    out.strength = 1.0;
    if !LAMPS || light.position.w == 2.0 {
        out.direction = -light.direction.xyz;
        return out;
    }
    let away = light.position.xyz - position;
    let distance = max(length(away), 1e-6);
    out.direction = away / distance;
    let divisor = light.diffuse.w + light.specular.w * distance + light.cone.w * distance * distance;
    out.strength = select(1.0 / max(divisor, 1e-3), 0.0, distance > light.direction.w);
    if light.position.w == 1.0 {
        let cosine = dot(-out.direction, light.direction.xyz);
        let inside = clamp((cosine - light.cone.y) / max(light.cone.x - light.cone.y, 1e-6), 0.0, 1.0);
        out.strength *= pow(inside, max(light.cone.z, 1e-3));
    }
    return out;
}

struct Surface {
    base: vec3<f32>,
    normal: vec3<f32>,
    // Reflectance at right angles.
    reflectance: vec3<f32>,
    roughness: f32,
    shininess: f32,
}

// Highlights: Blinn's model, or that of microfacets with the distribution of Trowbridge and Reitz and the terms of Smith
// and Schlick, times pi, because lights here are given by the brightness of a white surface.
fn highlight(surface: Surface, view: vec3<f32>, to_light: vec3<f32>, cosine: f32) -> vec3<f32> {
    let middle = normalize(view + to_light);
    let n_h = max(dot(surface.normal, middle), 0.0);
    if !PHYSICAL {
        return surface.reflectance * pow(n_h, max(surface.shininess, 1.0));
    }
    let n_v = max(dot(surface.normal, view), 1e-4);
    let alpha = max(surface.roughness * surface.roughness, 2e-3);
    let a2 = alpha * alpha;
    let d = n_h * n_h * (a2 - 1.0) + 1.0;
    let visible = 0.5 / (cosine * sqrt(n_v * n_v * (1.0 - a2) + a2) + n_v * sqrt(cosine * cosine * (1.0 - a2) + a2));
    let fresnel = surface.reflectance
        + (1.0 - surface.reflectance) * pow(1.0 - max(dot(view, middle), 0.0), 5.0);
    return fresnel * (a2 / (d * d) * visible) * cosine;
}

fn with_fog(color: vec3<f32>, distance: f32) -> vec3<f32> {
    if !FOG {
        return color;
    }
    let kind = u32(camera.fog.w);
    var share = camera.fog_range.z;
    if kind == 2u {
        share = camera.fog_range.z
            * clamp((distance - camera.fog_range.x) / max(camera.fog_range.y - camera.fog_range.x, 1e-6), 0.0, 1.0);
    } else if kind == 3u {
        let depth = camera.fog_range.z * distance;
        share = 1.0 - exp(-depth * depth);
    }
    return mix(color, camera.fog.rgb, clamp(share, 0.0, 1.0));
}

fn shade(in: Fragment, is_front: bool) -> vec4<f32> {
    var base = in.diffuse;
    var ambient = camera.ambient.rgb;
    if COLOR_MAP {
        let texel = textureSample(color_map, map_sampler, in.uv);
        base *= texel;
    }
    if CUTOFF && base.a < in.physical.z {
        discard;
    }
    var emissive = in.emissive;
    if EMISSIVE_MAP {
        // A map alone is enough: the colour of the material is then black.
        emissive = select(emissive, vec3(1.0), all(emissive == vec3(0.0)))
            * textureSample(emissive_map, map_sampler, in.uv).rgb;
    }
    let distance = length(in.position);
    if UNLIT {
        return vec4(with_fog(base.rgb + emissive, distance), base.a);
    }
    if OCCLUSION_MAP {
        ambient *= textureSample(occlusion_map, map_sampler, in.uv).r;
    }

    var surface: Surface;
    surface.base = base.rgb;
    surface.normal = surface_normal(in, is_front);
    surface.reflectance = in.specular.rgb;
    surface.shininess = in.specular.w;
    surface.roughness = in.physical.y;
    if ROUGHNESS_MAP {
        surface.roughness = textureSample(roughness_map, map_sampler, in.uv).g;
    }
    if METAL {
        var metalness = in.physical.x;
        if METALNESS_MAP {
            metalness = textureSample(metalness_map, map_sampler, in.uv).b;
        }
        surface.base = base.rgb * (1.0 - metalness);
        surface.reflectance = mix(vec3(0.04), base.rgb, metalness);
    }
    let view = -in.position / max(distance, 1e-9);
    let flat_normal = normalize(in.normal);
    var color = emissive + base.rgb * ambient;
    for (var index = 0u; index < LIGHTS; index++) {
        let light = lights[index];
        let toward = incoming(light, in.position);
        let cosine = max(dot(surface.normal, toward.direction), 0.0);
        var place = vec4(in.sun_place, 1.0);
        if !SUN || index > 0u {
            place = shadow_place(light, in.position, flat_normal);
        }
        let strength = toward.strength * lit_share(light, place);
        color += strength * (surface.base * light.diffuse.rgb * cosine);
        if HIGHLIGHTS || PHYSICAL {
            let is_lit = f32(cosine > 0.0);
            color += is_lit * strength * light.specular.rgb * highlight(surface, view, toward.direction, cosine);
        }
    }
    return vec4(with_fog(color, distance), base.a);
}

@fragment
fn color(in: Fragment, @builtin(front_facing) is_front: bool) -> @location(0) vec4<f32> {
    return shade(in, is_front);
}

struct Geometry {
    @location(0) depth: f32,
    @location(1) visual: u32,
}

fn geometry_of(in: Fragment) -> Geometry {
    var out: Geometry;
    out.depth = dot(in.position, camera.forward.xyz);
    out.visual = in.number;
    return out;
}

@fragment
fn geometry(in: Fragment) -> Geometry {
    if CUTOFF && COLOR_MAP {
        if textureSample(color_map, map_sampler, in.uv).a * in.diffuse.a < in.physical.z {
            discard;
        }
    }
    return geometry_of(in);
}

struct Everything {
    @location(0) color: vec4<f32>,
    @location(1) depth: f32,
    @location(2) visual: u32,
}

@fragment
fn everything(in: Fragment, @builtin(front_facing) is_front: bool) -> Everything {
    var out: Everything;
    out.color = shade(in, is_front);
    let geometry = geometry_of(in);
    out.depth = geometry.depth;
    out.visual = geometry.visual;
    return out;
}

// The sky: a triangle that covers the image, behind everything.
@vertex
fn sky(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    let corner = vec2(f32((index << 1u) & 2u), f32(index & 2u));
    return vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}

fn sky_color(pixel: vec2<f32>) -> vec4<f32> {
    let direction = normalize(camera.corner.xyz + camera.right.xyz * pixel.x + camera.down.xyz * pixel.y);
    let up = direction.z;
    let day = mix(0.03, 1.0, camera.forward.w);
    let high = mix(vec3(0.55, 0.72, 0.9), vec3(0.13, 0.31, 0.7), pow(clamp(up, 0.0, 1.0), 0.6));
    let low = vec3(0.35, 0.36, 0.38);
    let color = mix(low, high, smoothstep(-0.03, 0.01, up)) * day;
    return vec4(with_fog(color, 1e6), 1.0);
}

@fragment
fn sky_only(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    return sky_color(at.xy);
}

@fragment
fn sky_everything(@builtin(position) at: vec4<f32>) -> Everything {
    var out: Everything;
    out.color = sky_color(at.xy);
    out.depth = bitcast<f32>(camera.infinity.x);
    out.visual = 0u;
    return out;
}
