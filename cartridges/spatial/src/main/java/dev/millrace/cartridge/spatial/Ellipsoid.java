package dev.millrace.cartridge.spatial;

import net.sf.geographiclib.Geodesic;
import net.sf.geographiclib.GeodesicData;
import net.sf.geographiclib.GeodesicMask;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.CoordinateSequence;
import org.locationtech.jts.geom.CoordinateSequenceFilter;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.operation.distance.DistanceOp;

/**
 * Distances in meters between geometries in degrees of longitude and latitude. Immutable.
 *
 * <p>The nearest points of two geometries are found on a plane that touches the ellipsoid between them; the distance of
 * these points is exact. Points are therefore as exact as the ellipsoid. For lines and polygons the error grows with
 * the square of the distance, and is less than one in a million up to 5 km.
 */
final class Ellipsoid
{
    /** Semi-major axis of WGS 84. */
    static final double WGS84_SEMI_MAJOR_AXIS_METERS = 6_378_137.0;
    /** Reciprocal of the flattening of WGS 84. */
    static final double WGS84_RECIPROCAL_FLATTENING = 298.257223563;

    private static final double HALF_TURN = 180.0;
    private static final double QUARTER_TURN = 90.0;

    private final Geodesic geodesic;
    private final double semiMajorAxisMeters;
    private final double eccentricitySquared;

    Ellipsoid(final double semiMajorAxisMeters, final double reciprocalFlattening)
    {
        final double flattening = 1 / reciprocalFlattening;
        geodesic = new Geodesic(semiMajorAxisMeters, flattening);
        this.semiMajorAxisMeters = semiMajorAxisMeters;
        eccentricitySquared = flattening * (2 - flattening);
    }

    /** The distance of two points. */
    double distanceMeters(final double lng1, final double lat1, final double lng2, final double lat2)
    {
        return geodesic.Inverse(lat1, lng1, lat2, lng2, GeodesicMask.DISTANCE).s12;
    }

    /** The distance of the nearest points of two geometries; 0 if they touch. */
    double distanceMeters(final Geometry a, final Geometry b)
    {
        if (a instanceof org.locationtech.jts.geom.Point p && b instanceof org.locationtech.jts.geom.Point q)
        {
            return distanceMeters(p.getX(), p.getY(), q.getX(), q.getY());
        }
        final Coordinate at = centre(a, b);
        final Plane plane = new Plane(at.x, at.y);
        final Coordinate[] nearest = DistanceOp.nearestPoints(plane.project(a), plane.project(b));
        return distanceMeters(plane.lng(nearest[0].x), plane.lat(nearest[0].y),
            plane.lng(nearest[1].x), plane.lat(nearest[1].y));
    }

    /** A point between the geometries, near the smaller one, at which the plane touches. */
    private static Coordinate centre(final Geometry a, final Geometry b)
    {
        final Envelope first = a.getEnvelopeInternal();
        final Envelope second = b.getEnvelopeInternal();
        return (first.getDiameter() < second.getDiameter() ? first : second).centre();
    }

    /** The point at a distance from another one, in a direction in degrees clockwise from north. */
    Coordinate destination(final double lng, final double lat, final double azimuth, final double meters)
    {
        final GeodesicData end = geodesic.Direct(lat, lng, azimuth, meters);
        return new Coordinate(end.lon2, end.lat2);
    }

    /** All points within a distance of a geometry. */
    Geometry buffer(final Geometry geometry, final double meters, final int quadrantSegments)
    {
        final Coordinate at = geometry.getEnvelopeInternal().centre();
        final Plane plane = new Plane(at.x, at.y);
        final Geometry buffered = plane.project(geometry).buffer(meters, quadrantSegments);
        buffered.apply(new Mapping((x, y) -> new Coordinate(plane.lng(x), plane.lat(y))));
        buffered.geometryChanged();
        return buffered;
    }

    /** The degrees of longitude and latitude that a distance spans at most near a rectangle. */
    Envelope expanded(final Envelope degrees, final double meters)
    {
        final Envelope expanded = new Envelope(degrees);
        // A degree of latitude is shortest at the equator.
        final double lat = Math.toDegrees(meters / (semiMajorAxisMeters * (1 - eccentricitySquared)));
        final double farthest = Math.min(QUARTER_TURN,
            Math.max(Math.abs(degrees.getMinY()), Math.abs(degrees.getMaxY())) + lat);
        final double shrink = Math.cos(Math.toRadians(farthest));
        final double lng = shrink < 1.0e-6 ? 2 * HALF_TURN :
            Math.min(2 * HALF_TURN, Math.toDegrees(meters / (semiMajorAxisMeters * shrink)));
        expanded.expandBy(lng, lat);
        return expanded;
    }

    /** A plane in meters that touches the ellipsoid at a point. */
    private final class Plane
    {
        private final double lng;
        private final double lat;
        private final double metersPerLng;
        private final double metersPerLat;

        Plane(final double lng, final double lat)
        {
            this.lng = lng;
            this.lat = lat;
            final double sine = Math.sin(Math.toRadians(lat));
            final double w = 1 - eccentricitySquared * sine * sine;
            final double across = semiMajorAxisMeters / Math.sqrt(w);
            metersPerLng = Math.max(1.0e-6, Math.toRadians(across * Math.cos(Math.toRadians(lat))));
            metersPerLat = Math.toRadians(across * (1 - eccentricitySquared) / w);
        }

        Geometry project(final Geometry degrees)
        {
            final Geometry copy = degrees.copy();
            copy.apply(new Mapping((x, y) -> new Coordinate(near(x) * metersPerLng, (y - lat) * metersPerLat)));
            copy.geometryChanged();
            return copy;
        }

        /** The difference of longitudes, across the date line if that is shorter. */
        private double near(final double x)
        {
            final double difference = x - lng;
            return difference > HALF_TURN ? difference - 2 * HALF_TURN :
                difference < -HALF_TURN ? difference + 2 * HALF_TURN : difference;
        }

        double lng(final double x)
        {
            return lng + x / metersPerLng;
        }

        double lat(final double y)
        {
            return lat + y / metersPerLat;
        }
    }

    /** Replaces each point by another one. */
    private record Mapping(PointFunction function) implements CoordinateSequenceFilter
    {
        @Override
        public void filter(final CoordinateSequence points, final int i)
        {
            final Coordinate mapped = function.apply(points.getX(i), points.getY(i));
            points.setOrdinate(i, CoordinateSequence.X, mapped.x);
            points.setOrdinate(i, CoordinateSequence.Y, mapped.y);
        }

        @Override
        public boolean isDone()
        {
            return false;
        }

        @Override
        public boolean isGeometryChanged()
        {
            return true;
        }
    }

    /** A point for a point. */
    @FunctionalInterface
    private interface PointFunction
    {
        Coordinate apply(double x, double y);
    }
}
