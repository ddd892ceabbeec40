package dev.millrace.cartridge.spatial;

import java.io.Serializable;
import java.util.Objects;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.Point;
import org.locationtech.jts.geom.prep.PreparedGeometry;
import org.locationtech.jts.geom.prep.PreparedGeometryFactory;

/**
 * A point, line, polygon or collection of them, in two dimensions, with its coordinate system. Rules read it as a
 * value, compare it by its members and pass it to functions; its static methods create geometries with an explicit
 * coordinate system.
 *
 * <p>Immutable; equal geometries have the same coordinate system and the same points in the same order.
 */
public final class Geometry implements Serializable
{
    /** Coordinate system: a plane, in any unit. */
    public static final int CARTESIAN = 0;
    /** Coordinate system: longitude and latitude in degrees on WGS 84, by its number at Oracle. */
    public static final int LAT_LNG_WGS84 = Shapes.LAT_LNG_WGS84;
    /** The same coordinate system, by its number at EPSG. */
    public static final int EPSG_WGS84 = Shapes.EPSG_WGS84;

    /** Type of {@code createGeometry}: a point. */
    public static final int GTYPE_POINT = ElementArrays.GTYPE_POINT;
    /** Type of {@code createGeometry}: a line. */
    public static final int GTYPE_CURVE = ElementArrays.GTYPE_CURVE;
    /** Type of {@code createGeometry}: a polygon, also with holes. */
    public static final int GTYPE_POLYGON = ElementArrays.GTYPE_POLYGON;
    /** Type of {@code createGeometry}: several of different types. */
    public static final int GTYPE_COLLECTION = ElementArrays.GTYPE_COLLECTION;
    /** Type of {@code createGeometry}: several points. */
    public static final int GTYPE_MULTIPOINT = ElementArrays.GTYPE_MULTIPOINT;
    /** Type of {@code createGeometry}: several lines. */
    public static final int GTYPE_MULTICURVE = ElementArrays.GTYPE_MULTICURVE;
    /** Type of {@code createGeometry}: several polygons. */
    public static final int GTYPE_MULTIPOLYGON = ElementArrays.GTYPE_MULTIPOLYGON;

    private static final long serialVersionUID = 1;

    private final int srid;
    private final org.locationtech.jts.geom.Geometry shape;
    /** Made when a predicate first reads a shape that is not a point. */
    private transient volatile PreparedGeometry prepared;

    Geometry(final int srid, final org.locationtech.jts.geom.Geometry shape)
    {
        this.srid = srid;
        this.shape = shape;
    }

    /** Creates a point. */
    public static Geometry createPoint(final int srid, final double x, final double y)
    {
        return new Geometry(srid, Shapes.point(srid, x, y));
    }

    /** Creates a rectangle from two opposite corners. */
    public static Geometry createRectangle(
        final int srid, final double x1, final double y1, final double x2, final double y2)
    {
        return new Geometry(srid, Shapes.rectangle(srid, x1, y1, x2, y2));
    }

    /** Creates a polygon from its corners: x and y in turn. The last corner may repeat the first one. */
    public static Geometry createLinearPolygon(final int srid, final double[] ordinates)
    {
        return new Geometry(srid, Shapes.polygon(srid, ordinates));
    }

    /** Creates a line from its points: x and y in turn. */
    public static Geometry createLineString(final int srid, final double[] ordinates)
    {
        return new Geometry(srid, Shapes.line(srid, ordinates));
    }

    /**
     * Creates a geometry from arrays.
     *
     * @param gtype     one of the constants of this class, or 2000 more
     * @param elemInfo  for each element: position of its first ordinate from 1, type and interpretation
     * @param ordinates x and y in turn
     */
    public static Geometry createGeometry(
        final int gtype, final int srid, final int[] elemInfo, final double[] ordinates)
    {
        return new Geometry(srid, ElementArrays.geometry(gtype, srid, elemInfo, ordinates));
    }

    /** Returns the information of one element for {@code createGeometry}. */
    public static int[] createElemInfo(final int start, final int type, final int interpretation)
    {
        return new int[] {start, type, interpretation};
    }

    org.locationtech.jts.geom.Geometry shape()
    {
        return shape;
    }

    /** The shape with an index of its edges. */
    PreparedGeometry prepared()
    {
        PreparedGeometry known = prepared;
        if (known == null)
        {
            known = PreparedGeometryFactory.prepare(shape);
            prepared = known;
        }
        return known;
    }

    /** Whether coordinates are degrees and distances are meters. */
    boolean isGeodetic()
    {
        return Shapes.isGeodetic(srid);
    }

    /** Returns the number of the coordinate system. */
    public int getSrid()
    {
        return srid;
    }

    /** Returns the x coordinate, or longitude, of a point. */
    public double getX()
    {
        return point("getX").getX();
    }

    /** Returns the y coordinate, or latitude, of a point. */
    public double getY()
    {
        return point("getY").getY();
    }

    private Point point(final String method)
    {
        if (shape instanceof Point point)
        {
            return point;
        }
        throw new IllegalArgumentException(method + " needs a point, geometry=" + getType());
    }

    /** Returns the name of the shape: Point, LineString, Polygon, MultiPoint, and so on. */
    public String getType()
    {
        return shape.getGeometryType();
    }

    /** Returns the number of points, where the first point of a polygon counts twice. */
    public int getNumPoints()
    {
        return shape.getNumPoints();
    }

    /** Returns the bounding rectangle: smallest x, smallest y, largest x, largest y. */
    public double[] getMbr()
    {
        final Envelope box = shape.getEnvelopeInternal();
        return new double[] {box.getMinX(), box.getMinY(), box.getMaxX(), box.getMaxY()};
    }

    @Override
    public boolean equals(final Object other)
    {
        return other == this ||
            other instanceof Geometry that && srid == that.srid && shape.equalsExact(that.shape);
    }

    @Override
    public int hashCode()
    {
        return Objects.hash(srid, shape.getEnvelopeInternal());
    }

    /** Returns the shape as well-known text. */
    @Override
    public String toString()
    {
        return shape.toText();
    }
}
