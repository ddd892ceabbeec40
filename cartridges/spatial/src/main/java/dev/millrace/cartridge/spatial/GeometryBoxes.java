package dev.millrace.cartridge.spatial;

import dev.millrace.api.cartridge.PairBoxes;
import org.locationtech.jts.geom.Envelope;

/** Bounding rectangles of geometries, for predicates that are false beyond a tolerance. Immutable. */
final class GeometryBoxes implements PairBoxes
{
    private static final int HALF_TURN = 180;

    private final double tolerance;
    private final Ellipsoid ellipsoid;

    /**
     * @param tolerance of calls that name none
     */
    GeometryBoxes(final double tolerance, final Ellipsoid ellipsoid)
    {
        this.tolerance = tolerance;
        this.ellipsoid = ellipsoid;
    }

    @Override
    public boolean store(final Object value, final double[] box)
    {
        if (!(value instanceof Geometry geometry))
        {
            return false;
        }
        write(geometry.shape().getEnvelopeInternal(), box);
        return true;
    }

    @Override
    public boolean search(final Object value, final double distance, final double[] box)
    {
        final double within = Double.isNaN(distance) ? tolerance : distance;
        // A call with a negative tolerance fails.
        if (!(value instanceof Geometry geometry) || !(within >= 0))
        {
            return false;
        }
        final Envelope own = geometry.shape().getEnvelopeInternal();
        write(geometry.isGeodetic() ? aroundOnEllipsoid(own, within) : around(own, within), box);
        return true;
    }

    private static Envelope around(final Envelope box, final double distance)
    {
        final Envelope wider = new Envelope(box);
        wider.expandBy(distance);
        return wider;
    }

    /** Near the date line all longitudes are searched. */
    private Envelope aroundOnEllipsoid(final Envelope box, final double meters)
    {
        // Twice, since the rectangle of the other geometry is extended at its own latitude, where it may be wider.
        final Envelope wider = ellipsoid.expanded(ellipsoid.expanded(box, meters), meters);
        return wider.getMinX() < -HALF_TURN || wider.getMaxX() > HALF_TURN ?
            new Envelope(-HALF_TURN, HALF_TURN, wider.getMinY(), wider.getMaxY()) : wider;
    }

    private static void write(final Envelope from, final double[] box)
    {
        box[0] = from.getMinX();
        box[1] = from.getMinY();
        box[2] = from.getMaxX();
        box[3] = from.getMaxY();
    }
}
