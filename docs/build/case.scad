// The full box's case, in two halves that fit a bed of 180 x 180 mm. All lengths are millimetres.
//
//   openscad -o case-left.stl -D 'part="left"' case.scad          part: "left", "right" or "whole"
//
// The panel lies on top (outline and screws are read from its DXF file). A Raspberry Pi 3, 4 or 5 fits at the rear left, with
// its USB sockets towards the left wall and power and HDMI towards the rear wall; a Pico lies at the right. Print as it stands,
// without supports. tests/tooling/test_printed_parts.py checks the sizes; docs/build/panel-and-case.md says what to do.

part = "whole";
panel = "panel-30mm.dxf"; // the other panel has the same outline and screws

height = 80;        // outside, without the panel: snap-in buttons with their lamp are about 45 deep, a Pi 30 high
wall = 3;
floor_thick = 3;
post = 12;          // diameter of the posts for the panel's screws; they touch the walls
screw_fit = 0.3;    // the posts' holes are narrower than the panel's by this radius: an M3 screw cuts its thread
fit = 0.25;         // gap between a half and what it meets

width = 260;        // the panel's
depth = 130;
middle = width / 2;

pi_at = [15.5, 69.5]; // the board's corner at the front left
pi_posts = 6;       // the height of the board above the floor
pico_at = [190, 20];

$fn = 24;

module outline() { import(panel, layer = "outline"); }
module screws() { import(panel, layer = "screws"); }

// The part of a flat drawing that belongs to this half.
module this_half() {
    if (part == "whole") children();
    else intersection() {
        children();
        translate([part == "left" ? -1 : middle + fit / 2, -1]) square([middle + 1 - fit / 2, depth + 2]);
    }
}

// The Pi's four holes are 58 x 49 mm apart; the board is turned by 180 degrees.
module pi_holes() {
    for (x = [23.5, 81.5], y = [3.5, 52.5]) translate([pi_at[0] + x, pi_at[1] + y]) children();
}

// A Pico's four holes are 47 x 11.4 mm apart, on a board of 51 x 21 mm.
module pico_holes() {
    for (x = [2, 49], y = [4.8, 16.2]) translate([pico_at[0] + x, pico_at[1] + y]) children();
}

module floor_plan() {
    difference() {
        outline();
        // Air, below the Pi.
        for (i = [0 : 5]) translate([pi_at[0] + 26 + 9 * i, pi_at[1] + 10]) square([3, 34]);
    }
}

module wall_plan() {
    difference() {
        union() {
            difference() {
                outline();
                offset(delta = -wall) outline();
            }
            intersection() {
                outline();
                offset(r = post / 2 - 1.6) screws();
            }
        }
        offset(delta = -screw_fit) screws();
    }
}

module openings() {
    board_top = floor_thick + pi_posts + 1.6;
    // Left: USB and Ethernet. Rear: USB-C and two HDMI. Both larger than the plugs.
    translate([-1, pi_at[1] + 1, board_top - 1]) cube([wall + 2, 54, 20]);
    translate([pi_at[0] + 36, depth - wall - 1, board_top - 4]) cube([48, wall + 2, 15]);
    // Rear right: the cable of the Pico, or of the camera.
    translate([215, depth - wall - 1, floor_thick + 5]) cube([16, wall + 2, 12]);
    // Air, at the left half's front.
    for (i = [0 : 5]) translate([30 + 10 * i, -1, height - 30]) cube([3, wall + 2, 16]);
}

// A rib on each side of the middle, with two holes for M3 screws and nuts that hold the halves together.
module ribs() {
    difference() {
        linear_extrude(16) this_half() translate([middle - 4, wall / 2]) square([8, depth - wall]);
        for (y = [30, depth - 30]) translate([middle - 10, y, 9]) rotate([0, 90, 0]) cylinder(d = 3.4, h = 20);
    }
}

difference() {
    union() {
        linear_extrude(floor_thick) this_half() floor_plan();
        linear_extrude(height) this_half() wall_plan();
        ribs();
    }
    openings();
}
// M2.5 and M2 screws cut their threads.
linear_extrude(floor_thick + pi_posts) this_half() difference() {
    pi_holes() circle(d = 6);
    pi_holes() circle(d = 2.2);
}
linear_extrude(floor_thick + 4) this_half() difference() {
    pico_holes() circle(d = 4.4);
    pico_holes() circle(d = 1.6);
}
