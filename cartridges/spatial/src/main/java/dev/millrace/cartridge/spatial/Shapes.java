package dev.millrace.cartridge.spatial;

import java.util.Arrays;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryFactory;
import org.locationtech.jts.geom.LinearRing;
import org.locationtech.jts.geom.impl.PackedCoordinateSequence;
import org.locationtech.jts.operation.valid.IsValidOp;
import org.locationtech.jts.operation.valid.TopologyValidationError;

/** Creates shapes from numbers and rejects those that are not valid. Stateless. */
final class Shapes
{
    static final GeometryFactory FACTORY = new GeometryFactory();
    /** Coordinate system of longitude and latitude on WGS 84, by its number at Oracle. */
    static final int LAT_LNG_WGS84 = 8307;
    /** The same coordinate system, by its number at EPSG. */
    static final int EPSG_WGS84 = 4326;

    private static final int MIN_RING_POINTS = 4;
    private static final double MAX_LNG = 180.0;
    private static final double MAX_LAT = 90.0;

    private Shapes()
    {
    }

    /** Whether coordinates are degrees and distances are meters. */
    static boolean isGeodetic(final int srid)
    {
        return srid == LAT_LNG_WGS84 || srid == EPSG_WGS84;
    }

    static Geometry point(final int srid, final double x, final double y)
    {
        check(srid, x, y);
        return FACTORY.createPoint(new Coordinate(x, y));
    }

    static Geometry rectangle(final int srid, final double x1, final double y1, final double x2, final double y2)
    {
        return polygon(srid, new double[] {x1, y1, x2, y1, x2, y2, x1, y2, x1, y1});
    }

    static Geometry polygon(final int srid, final double[] ordinates)
    {
        return valid(FACTORY.createPolygon(ring(srid, ordinates)));
    }

    static Geometry line(final int srid, final double[] ordinates)
    {
        check(srid, ordinates);
        if (ordinates.length < 4)
        {
            throw new IllegalArgumentException("a line needs two points, ordinates=" + ordinates.length);
        }
        return valid(FACTORY.createLineString(new PackedCoordinateSequence.Double(ordinates.clone(), 2, 0)));
    }

    /** A closed line; the last point is added if it does not repeat the first one. */
    static LinearRing ring(final int srid, final double[] ordinates)
    {
        check(srid, ordinates);
        final int size = ordinates.length;
        if (size < 2 * (MIN_RING_POINTS - 1))
        {
            throw new IllegalArgumentException("a polygon needs three points, ordinates=" + size);
        }
        final boolean isClosed = ordinates[0] == ordinates[size - 2] && ordinates[1] == ordinates[size - 1];
        final double[] closed = Arrays.copyOf(ordinates, isClosed ? size : size + 2);
        closed[closed.length - 2] = ordinates[0];
        closed[closed.length - 1] = ordinates[1];
        if (closed.length < 2 * MIN_RING_POINTS)
        {
            throw new IllegalArgumentException("a polygon needs three different points");
        }
        return FACTORY.createLinearRing(new PackedCoordinateSequence.Double(closed, 2, 0));
    }

    /** A geometry whose rings do not cross. */
    static Geometry valid(final Geometry shape)
    {
        final TopologyValidationError error = new IsValidOp(shape).getValidationError();
        if (error != null)
        {
            final Coordinate at = error.getCoordinate();
            throw new IllegalArgumentException("not a valid " + shape.getGeometryType() + ", reason=" +
                error.getMessage() + (at == null ? "" : " x=" + at.x + " y=" + at.y));
        }
        return shape;
    }

    static void check(final int srid, final double[] ordinates)
    {
        if (ordinates.length % 2 != 0)
        {
            throw new IllegalArgumentException("a y coordinate is missing, ordinates=" + ordinates.length);
        }
        for (int i = 0; i < ordinates.length; i += 2)
        {
            check(srid, ordinates[i], ordinates[i + 1]);
        }
    }

    private static void check(final int srid, final double x, final double y)
    {
        if (!Double.isFinite(x) || !Double.isFinite(y))
        {
            throw new IllegalArgumentException("a coordinate is not a finite number, x=" + x + " y=" + y);
        }
        if (isGeodetic(srid) && (Math.abs(x) > MAX_LNG || Math.abs(y) > MAX_LAT))
        {
            throw new IllegalArgumentException("not a longitude from -180 to 180 and a latitude from -90 to 90, " +
                "longitude=" + x + " latitude=" + y + " srid=" + srid);
        }
    }
}
