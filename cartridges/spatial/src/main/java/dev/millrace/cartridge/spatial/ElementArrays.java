package dev.millrace.cartridge.spatial;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.locationtech.jts.algorithm.Orientation;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.LinearRing;
import org.locationtech.jts.geom.LineString;
import org.locationtech.jts.geom.MultiPoint;
import org.locationtech.jts.geom.Point;
import org.locationtech.jts.geom.Polygon;
import org.locationtech.jts.geom.Triangle;

/**
 * Creates geometries from arrays in the style of Oracle Spatial: triples with the position of the first ordinate of an
 * element, its type and its interpretation.
 *
 * <pre>
 *   type 1                   point (1), or n points (n)
 *   type 2                   line of straight segments (1)
 *   type 1003, 2003, 3       ring: straight segments (1), rectangle by two corners (3), circle by three points (4)
 * </pre>
 *
 * <p>Each ring of type 1003 begins a polygon; rings of type 2003 are its holes. Of type 3, the first ring begins a
 * polygon, and so do those whose corners are counterclockwise. Stateless.
 */
final class ElementArrays
{
    static final int GTYPE_POINT = 1;
    static final int GTYPE_CURVE = 2;
    static final int GTYPE_POLYGON = 3;
    static final int GTYPE_COLLECTION = 4;
    static final int GTYPE_MULTIPOINT = 5;
    static final int GTYPE_MULTICURVE = 6;
    static final int GTYPE_MULTIPOLYGON = 7;

    private static final int DIMENSIONS_2 = 2000;
    private static final int TRIPLE = 3;
    private static final int POINT = 1;
    private static final int LINE = 2;
    private static final int RING = 3;
    private static final int EXTERIOR = 1003;
    private static final int INTERIOR = 2003;
    private static final int STRAIGHT = 1;
    private static final int RECTANGLE = 3;
    private static final int CIRCLE = 4;
    private static final int CIRCLE_POINTS = 64;

    private final int srid;
    private final List<Point> points = new ArrayList<>();
    private final List<LineString> lines = new ArrayList<>();
    private final List<Polygon> polygons = new ArrayList<>();
    private LinearRing shell;
    private final List<LinearRing> holes = new ArrayList<>();

    private ElementArrays(final int srid)
    {
        this.srid = srid;
    }

    /**
     * Creates a geometry.
     *
     * @throws IllegalArgumentException if the arrays contradict the type or each other
     */
    static Geometry geometry(final int gtype, final int srid, final int[] info, final double[] ordinates)
    {
        final int type = gtype >= DIMENSIONS_2 ? gtype - DIMENSIONS_2 : gtype;
        if (type < GTYPE_POINT || type > GTYPE_MULTIPOLYGON)
        {
            throw new IllegalArgumentException("not a type of a geometry in two dimensions, gtype=" + gtype);
        }
        if (info.length == 0 || info.length % TRIPLE != 0)
        {
            throw new IllegalArgumentException("element information has three numbers per element, numbers=" +
                info.length);
        }
        Shapes.check(srid, ordinates);
        final ElementArrays elements = new ElementArrays(srid);
        for (int i = 0; i < info.length; i += TRIPLE)
        {
            final int end = i + TRIPLE < info.length ? info[i + TRIPLE] - 1 : ordinates.length;
            final int start = info[i] - 1;
            if (start < 0 || start % 2 != 0 || end <= start || end > ordinates.length)
            {
                throw new IllegalArgumentException("an element begins outside the ordinates, start=" + info[i] +
                    " ordinates=" + ordinates.length);
            }
            elements.add(info[i + 1], info[i + 2], Arrays.copyOfRange(ordinates, start, end));
        }
        return elements.build(type);
    }

    private void add(final int type, final int interpretation, final double[] ordinates)
    {
        switch (type)
        {
            case POINT ->
            {
                for (int i = 0; i < ordinates.length; i += 2)
                {
                    points.add(Shapes.FACTORY.createPoint(new Coordinate(ordinates[i], ordinates[i + 1])));
                }
            }
            case LINE ->
            {
                straight(interpretation);
                lines.add((LineString)Shapes.line(srid, ordinates));
            }
            case EXTERIOR, INTERIOR, RING -> ring(type, ringOf(interpretation, ordinates));
            default -> throw new IllegalArgumentException("elements are points (1), lines (2) and rings (1003, " +
                "2003), type=" + type);
        }
    }

    private void ring(final int type, final LinearRing ring)
    {
        if (shell == null && type == INTERIOR)
        {
            throw new IllegalArgumentException("the polygon begins with a hole (2003); its first ring is of type 1003");
        }
        if (shell == null || type == EXTERIOR || type == RING && Orientation.isCCW(ring.getCoordinateSequence()))
        {
            endPolygon();
            shell = ring;
        }
        else
        {
            holes.add(ring);
        }
    }

    private LinearRing ringOf(final int interpretation, final double[] o)
    {
        if (interpretation == RECTANGLE && o.length == 4)
        {
            return Shapes.ring(srid, new double[] {o[0], o[1], o[2], o[1], o[2], o[3], o[0], o[3]});
        }
        if (interpretation == CIRCLE && o.length == 6)
        {
            return circle(o);
        }
        straight(interpretation);
        return Shapes.ring(srid, o);
    }

    private static void straight(final int interpretation)
    {
        if (interpretation != STRAIGHT)
        {
            throw new IllegalArgumentException("lines are straight (1), rings also rectangles (3, four ordinates) " +
                "and circles (4, six ordinates), interpretation=" + interpretation);
        }
    }

    private LinearRing circle(final double[] o)
    {
        final Coordinate centre = Triangle.circumcentre(
            new Coordinate(o[0], o[1]), new Coordinate(o[2], o[3]), new Coordinate(o[4], o[5]));
        final double radius = centre.distance(new Coordinate(o[0], o[1]));
        if (!Double.isFinite(radius))
        {
            throw new IllegalArgumentException("the three points of a circle are on one line");
        }
        final double[] ring = new double[2 * CIRCLE_POINTS];
        for (int i = 0; i < CIRCLE_POINTS; i++)
        {
            final double angle = 2 * Math.PI * i / CIRCLE_POINTS;
            ring[2 * i] = centre.x + radius * Math.cos(angle);
            ring[2 * i + 1] = centre.y + radius * Math.sin(angle);
        }
        return Shapes.ring(srid, ring);
    }

    private void endPolygon()
    {
        if (shell != null)
        {
            polygons.add(Shapes.FACTORY.createPolygon(shell, holes.toArray(new LinearRing[0])));
            shell = null;
            holes.clear();
        }
    }

    private Geometry build(final int type)
    {
        endPolygon();
        return Shapes.valid(switch (type)
        {
            case GTYPE_POINT -> single(points, "points");
            case GTYPE_CURVE -> single(lines, "lines");
            case GTYPE_POLYGON -> single(polygons, "polygons");
            case GTYPE_MULTIPOINT -> multiPoint();
            case GTYPE_MULTICURVE -> Shapes.FACTORY.createMultiLineString(
                only(lines, "lines").toArray(new LineString[0]));
            case GTYPE_MULTIPOLYGON -> Shapes.FACTORY.createMultiPolygon(
                only(polygons, "polygons").toArray(new Polygon[0]));
            default -> Shapes.FACTORY.buildGeometry(all());
        });
    }

    private MultiPoint multiPoint()
    {
        return Shapes.FACTORY.createMultiPoint(only(points, "points").toArray(new Point[0]));
    }

    private List<Geometry> all()
    {
        final List<Geometry> all = new ArrayList<>(points);
        all.addAll(lines);
        all.addAll(polygons);
        return all;
    }

    private <T> T single(final List<T> elements, final String what)
    {
        if (only(elements, what).size() != 1)
        {
            throw new IllegalArgumentException("the type has one element, " + what + '=' + elements.size());
        }
        return elements.get(0);
    }

    private <T> List<T> only(final List<T> elements, final String what)
    {
        if (elements.isEmpty() || elements.size() != all().size())
        {
            throw new IllegalArgumentException("the elements contradict the type of the geometry, which has only " +
                what + ", elements=" + all().size() + ' ' + what + '=' + elements.size());
        }
        return elements;
    }
}
