package dev.millrace.cartridge.spatial;

import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.Point;

/**
 * The functions of a link of the spatial cartridge. Those that create geometries use the coordinate system of the link,
 * unless a call names another one; the others use that of their arguments, which must be the same. On a plane all
 * distances are in the unit of the coordinates, on the ellipsoid in meters.
 *
 * <p>The public methods are the functions that rules call. A call with invalid arguments throws an
 * {@link IllegalArgumentException}, which rejects the row. Immutable, thread-safe.
 */
public final class SpatialFunctions
{
    private static final int QUADRANT_SEGMENTS = 16;
    private static final int MAX_QUADRANT_SEGMENTS = 1_024;
    private static final int FULL_TURN = 360;

    private final SpatialContext context;

    SpatialFunctions(final SpatialContext context)
    {
        this.context = context;
    }

    /** Creates a point: x and y, or longitude and latitude. */
    public Geometry createPoint(final double x, final double y)
    {
        return new Geometry(context.srid(), Shapes.point(context.srid(), x, y));
    }

    /** Creates a point with an explicit coordinate system. */
    public Geometry createPoint(final int srid, final double x, final double y)
    {
        return new Geometry(srid, Shapes.point(srid, x, y));
    }

    /** Creates a rectangle from two opposite corners. */
    public Geometry createRectangle(final double x1, final double y1, final double x2, final double y2)
    {
        return new Geometry(context.srid(), Shapes.rectangle(context.srid(), x1, y1, x2, y2));
    }

    /** Creates a rectangle with an explicit coordinate system. */
    public Geometry createRectangle(
        final int srid, final double x1, final double y1, final double x2, final double y2)
    {
        return new Geometry(srid, Shapes.rectangle(srid, x1, y1, x2, y2));
    }

    /** Creates a circle as a polygon of 64 corners. */
    public Geometry createCircle(final double x, final double y, final double radius)
    {
        return circle(x, y, positive("radius", radius), QUADRANT_SEGMENTS);
    }

    /** Creates a circle as a polygon whose edges deviate from the circle by at most a distance. */
    public Geometry createCircle(final double x, final double y, final double radius, final double arcTolerance)
    {
        return circle(x, y, positive("radius", radius), segments(radius, positive("arcTolerance", arcTolerance)));
    }

    private Geometry circle(final double x, final double y, final double radius, final int quadrantSegments)
    {
        final Geometry centre = new Geometry(context.srid(), Shapes.point(context.srid(), x, y));
        final int corners = 4 * quadrantSegments;
        final double[] ordinates = new double[2 * corners];
        for (int i = 0; i < corners; i++)
        {
            final double turn = (double)i / corners;
            final Coordinate corner = centre.isGeodetic() ?
                context.ellipsoid().destination(x, y, turn * FULL_TURN, radius) :
                new Coordinate(x + radius * Math.cos(2 * Math.PI * turn), y + radius * Math.sin(2 * Math.PI * turn));
            ordinates[2 * i] = corner.x;
            ordinates[2 * i + 1] = corner.y;
        }
        return new Geometry(context.srid(), Shapes.polygon(context.srid(), ordinates));
    }

    /** Segments of a quarter of a circle, so that chords stay within a distance of the arc. */
    private static int segments(final double radius, final double arcTolerance)
    {
        final double half = Math.acos(Math.max(0, 1 - arcTolerance / radius));
        return (int)Math.max(2, Math.min(MAX_QUADRANT_SEGMENTS, Math.ceil(Math.PI / 4 / half)));
    }

    /** Creates a polygon from its corners: x and y in turn. The last corner may repeat the first one. */
    public Geometry createPolygon(final double... ordinates)
    {
        return new Geometry(context.srid(), Shapes.polygon(context.srid(), ordinates));
    }

    /** The same as {@code createPolygon}. */
    public Geometry createLinearPolygon(final double... ordinates)
    {
        return new Geometry(context.srid(), Shapes.polygon(context.srid(), ordinates));
    }

    /** Creates a polygon with an explicit coordinate system. */
    public Geometry createLinearPolygon(final int srid, final double[] ordinates)
    {
        return new Geometry(srid, Shapes.polygon(srid, ordinates));
    }

    /** Creates a line from its points: x and y in turn. */
    public Geometry createLineString(final double... ordinates)
    {
        return new Geometry(context.srid(), Shapes.line(context.srid(), ordinates));
    }

    /** Creates a geometry from arrays. */
    public Geometry createGeometry(final int gtype, final int[] elemInfo, final double[] ordinates)
    {
        return new Geometry(context.srid(), ElementArrays.geometry(gtype, context.srid(), elemInfo, ordinates));
    }

    /** Creates a geometry from arrays with an explicit coordinate system. */
    public Geometry createGeometry(final int gtype, final int srid, final int[] elemInfo, final double[] ordinates)
    {
        return new Geometry(srid, ElementArrays.geometry(gtype, srid, elemInfo, ordinates));
    }

    /** Returns the information of one element for {@code createGeometry}. */
    public int[] createElemInfo(final int start, final int type, final int interpretation)
    {
        return new int[] {start, type, interpretation};
    }

    /** Returns the numbers as an array: information of elements for {@code createGeometry}. */
    public int[] einfogenerator(final int... numbers)
    {
        return numbers.clone();
    }

    /** Returns the numbers as an array: x and y in turn. */
    public double[] ordsgenerator(final double... ordinates)
    {
        return ordinates.clone();
    }

    /** Returns the distance of the nearest points of two geometries; 0 if they touch or overlap. */
    public double distance(final Geometry a, final Geometry b)
    {
        same(a, b);
        return a.isGeodetic() ? context.ellipsoid().distanceMeters(a.shape(), b.shape()) :
            a.shape().distance(b.shape());
    }

    /** Returns all points within a distance of a geometry, as a polygon with 64 corners for a full turn. */
    public Geometry bufferPolygon(final Geometry geometry, final double distance)
    {
        return buffer(geometry, distance);
    }

    /** The same as {@code bufferPolygon}. */
    public Geometry buffer(final Geometry geometry, final double distance)
    {
        positive("distance", distance);
        return new Geometry(geometry.getSrid(), geometry.isGeodetic() ?
            context.ellipsoid().buffer(geometry.shape(), distance, QUADRANT_SEGMENTS) :
            geometry.shape().buffer(distance, QUADRANT_SEGMENTS));
    }

    /** Returns the bounding rectangle: smallest x, smallest y, largest x, largest y. */
    public double[] get2dMbr(final Geometry geometry)
    {
        return geometry.getMbr();
    }

    /** Reads well-known text, such as {@code POINT (1 2)}; rules write {@code to_Geometry}. */
    public Geometry toGeometry(final String wellKnownText)
    {
        return WellKnownText.read(context.srid(), wellKnownText);
    }

    /** Returns the geometry itself; Oracle's cartridge has another class. Rules write {@code to_Geometry}. */
    public Geometry toGeometry(final Geometry geometry)
    {
        return geometry;
    }

    /** Returns the geometry itself; Oracle's cartridge has another class. Rules write {@code to_JGeometry}. */
    public Geometry toJGeometry(final Geometry geometry)
    {
        return geometry;
    }

    /** Whether a geometry contains the key, with the tolerance of the link. */
    public boolean contain(final Geometry geometry, final Geometry key)
    {
        return contain(geometry, key, context.tolerance());
    }

    /** Whether no point of the key is farther than the tolerance outside a geometry. */
    public boolean contain(final Geometry geometry, final Geometry key, final double tolerance)
    {
        return near(geometry, key, tolerance) &&
            (geometry.prepared().covers(key.shape()) || tolerance > 0 && isWithin(geometry, key, tolerance));
    }

    /** Whether every point of the key is at most the tolerance away from the geometry. */
    private boolean isWithin(final Geometry geometry, final Geometry key, final double tolerance)
    {
        if (key.shape() instanceof Point)
        {
            return distance(geometry, key) <= tolerance;
        }
        return distance(geometry, key) <= tolerance &&
            buffer(geometry, tolerance).shape().covers(key.shape());
    }

    /** Whether the key is inside a geometry, with the tolerance of the link. */
    public boolean inside(final Geometry geometry, final Geometry key)
    {
        return inside(geometry, key, context.tolerance());
    }

    /** Whether every point of the key is inside a geometry and farther than the tolerance from its boundary. */
    public boolean inside(final Geometry geometry, final Geometry key, final double tolerance)
    {
        if (!near(geometry, key, 0) || !geometry.prepared().containsProperly(key.shape()))
        {
            notNegative("tolerance", tolerance);
            return false;
        }
        return tolerance == 0 || geometry.shape().getDimension() < 2 ||
            distance(new Geometry(geometry.getSrid(), geometry.shape().getBoundary()), key) >
                notNegative("tolerance", tolerance);
    }

    /** Whether two geometries have a point in common, with the tolerance of the link for interactions. */
    public boolean anyInteract(final Geometry geometry, final Geometry key)
    {
        return anyInteract(geometry, key, context.interactTolerance());
    }

    /** Whether two geometries have points that are at most the tolerance apart. */
    public boolean anyInteract(final Geometry geometry, final Geometry key, final double tolerance)
    {
        return near(geometry, key, tolerance) && (geometry.prepared().intersects(key.shape()) ||
            tolerance > 0 && distance(geometry, key) <= tolerance);
    }

    /** Whether the nearest points of two geometries are at most a distance apart. */
    public boolean withinDistance(final Geometry geometry, final Geometry key, final double distance)
    {
        return anyInteract(geometry, key, distance);
    }

    /** Whether a geometry is a neighbor of the key: at most the tolerance away from it. */
    public boolean nn(final Geometry geometry, final Geometry key, final double tolerance)
    {
        return anyInteract(geometry, key, tolerance);
    }

    /** Whether the bounding rectangles of two geometries are at most the tolerance apart. */
    public boolean filter(final Geometry geometry, final Geometry key, final double tolerance)
    {
        return near(geometry, key, tolerance);
    }

    /** Whether the bounding rectangle of the key meets that of the geometry, extended by a distance. */
    private boolean near(final Geometry geometry, final Geometry key, final double distance)
    {
        same(geometry, key);
        notNegative("tolerance", distance);
        final Envelope box = geometry.shape().getEnvelopeInternal();
        final Envelope other = key.shape().getEnvelopeInternal();
        if (box.intersects(other))
        {
            return true;
        }
        return distance > 0 && meets(box(geometry, distance), other, geometry.isGeodetic());
    }

    /** Whether rectangles meet; in degrees also across the date line. */
    private static boolean meets(final Envelope box, final Envelope other, final boolean isGeodetic)
    {
        if (box.intersects(other) || !isGeodetic)
        {
            return box.intersects(other);
        }
        return box.getMinX() < -FULL_TURN / 2 && box.intersects(shifted(other, -FULL_TURN)) ||
            box.getMaxX() > FULL_TURN / 2 && box.intersects(shifted(other, FULL_TURN));
    }

    private static Envelope shifted(final Envelope box, final int degrees)
    {
        return new Envelope(box.getMinX() + degrees, box.getMaxX() + degrees, box.getMinY(), box.getMaxY());
    }

    /** The bounding rectangle of a geometry and of all points within a distance of it. */
    private Envelope box(final Geometry geometry, final double distance)
    {
        final Envelope box = geometry.shape().getEnvelopeInternal();
        if (geometry.isGeodetic())
        {
            return context.ellipsoid().expanded(box, distance);
        }
        final Envelope expanded = new Envelope(box);
        expanded.expandBy(distance);
        return expanded;
    }

    private static void same(final Geometry a, final Geometry b)
    {
        if (a.getSrid() != b.getSrid() && !(a.isGeodetic() && b.isGeodetic()))
        {
            throw new IllegalArgumentException("the geometries have different coordinate systems, srid=" +
                a.getSrid() + " other=" + b.getSrid());
        }
    }

    private static double positive(final String name, final double value)
    {
        if (!(value > 0) || !Double.isFinite(value))
        {
            throw new IllegalArgumentException(name + " is not greater than 0, " + name + '=' + value);
        }
        return value;
    }

    private static double notNegative(final String name, final double value)
    {
        if (!(value >= 0))
        {
            throw new IllegalArgumentException(name + " is negative, " + name + '=' + value);
        }
        return value;
    }
}
