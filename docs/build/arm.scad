// The camera's arm: three printed parts on two round tubes or broomsticks. All lengths are millimetres.
//
//   openscad -o arm-clamp.stl -D 'part="clamp"' arm.scad          part: "clamp", "elbow" or "head"
//
// The clamp holds the upright at the table's edge, the elbow joins upright and boom, the head carries a Camera Module 3 or a
// webcam with a tripod's thread. Print as it lies, without supports, with four walls: it hangs above people's drinks.

part = "clamp";

tube = 20;          // outer diameter of upright and boom: electrician's conduit of 20 mm, or an aluminium tube
fit = 0.4;          // added to the tube's diameter
wall = 5;           // around the tube
socket = 45;        // depth of the tube in each part
table = 45;         // the thickest table that the clamp takes
bite = 45;          // how far the clamp reaches over the table
jaw = 14;           // thickness of the clamp's jaws
clamp_width = 34;
bolt = 8.4;         // the clamp's bolt: M8 x 60 with a nut
bolt_nut = 13.4;    // the nut across its flats
set_screw = 4.3;    // M4 x 16 with a nut, one at each socket: tightened against the tube
camera_holes = [21, 12.5]; // of a Camera Module 3

outer = tube + fit + 2 * wall;
$fn = 64;

// A socket along z, open at its top.
module socket_body() { cylinder(d = outer, h = socket); }
module socket_bore() { translate([0, 0, wall]) cylinder(d = tube + fit, h = socket); }
module set_screw_bore() { translate([0, 0, socket * 0.6]) rotate([0, 90, 0]) cylinder(d = set_screw, h = outer); }
// A pocket for the set screw's nut, open towards the top, so that the nut can be dropped in.
module set_screw_nut() {
    translate([(tube + fit) / 2 + 0.8, -3.6, socket * 0.6 - 4.2]) cube([3.2, 7.2, socket]);
}

// Lies on its side: the layers run along the force.
module clamp() {
    back = 16;
    tall = table + 2 * jaw;
    difference() {
        union() {
            linear_extrude(clamp_width) difference() {
                square([back + bite, tall]);
                translate([back, jaw]) square([bite + 1, table]);
            }
            // The socket stands on the upper jaw, above the back.
            translate([outer / 2, tall - 0.01, clamp_width / 2]) rotate([-90, 0, 0]) socket_body();
        }
        translate([outer / 2, tall, clamp_width / 2]) rotate([-90, 0, 0]) {
            socket_bore();
            set_screw_bore();
            set_screw_nut();
        }
        // The bolt through the lower jaw, its nut in a pocket inside.
        translate([back + bite * 0.6, -1, clamp_width / 2]) rotate([-90, 0, 0]) {
            cylinder(d = bolt, h = jaw + 2);
            translate([0, 0, jaw - 6]) cylinder(d = bolt_nut / cos(30), h = 10, $fn = 6);
        }
    }
}

// Two sockets at a right angle, beside each other, so that both tubes are held on their whole depth.
module elbow() {
    block = [outer, outer, outer];
    difference() {
        union() {
            translate([-outer / 2, -outer / 2, 0]) cube(block);
            translate([0, 0, outer - 0.01]) socket_body();
            translate([outer / 2 - 0.01, 0, outer / 2]) rotate([0, 90, 0]) socket_body();
        }
        translate([0, 0, outer - wall]) {
            socket_bore();
            translate([0, 0, wall]) rotate([0, 0, 180]) { set_screw_bore(); set_screw_nut(); }
        }
        translate([outer / 2 - wall, 0, outer / 2]) rotate([0, 90, 0]) {
            socket_bore();
            translate([0, 0, wall]) rotate([0, 0, 180]) { set_screw_bore(); set_screw_nut(); }
        }
    }
}

// At the boom's end: a plate below which the Camera Module hangs, and an upright with a hole for a tripod's screw.
module head() {
    plate = [44, outer, 5];
    difference() {
        union() {
            translate([0, 0, outer / 2]) rotate([0, -90, 0]) socket_body();
            translate([-0.01, -outer / 2, 0]) cube(plate);
            translate([plate[0] - 5, -outer / 2, 0]) cube([5, outer, 32]);
            // Joins the round socket and the plate.
            translate([-socket, -outer / 4, 0]) cube([socket, outer / 2, outer / 4]);
        }
        translate([0, 0, outer / 2]) rotate([0, -90, 0]) {
            socket_bore();
            set_screw_bore();
            set_screw_nut();
        }
        // M2 holes; the opening passes the ribbon.
        for (x = [-1, 1], y = [-1, 1])
            translate([20 + x * camera_holes[1] / 2, y * camera_holes[0] / 2, -1]) cylinder(d = 2.4, h = 10);
        translate([4, -9, -1]) cube([6, 18, 10]);
        translate([plate[0] - 6, 0, 20]) rotate([0, 90, 0]) cylinder(d = 6.6, h = 10); // 1/4 inch
    }
}

if (part == "clamp") clamp();
else if (part == "elbow") elbow();
else head();
