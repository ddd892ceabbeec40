package dev.millrace.cartridge.spatial;

import org.locationtech.jts.io.ParseException;
import org.locationtech.jts.io.WKTReader;

/** Reads geometries from well-known text. Stateless. */
final class WellKnownText
{
    private WellKnownText()
    {
    }

    /**
     * Reads a valid geometry.
     *
     * @throws IllegalArgumentException if the text is not one
     */
    static Geometry read(final int srid, final String text)
    {
        try
        {
            final org.locationtech.jts.geom.Geometry shape = new WKTReader(Shapes.FACTORY).read(text);
            if (shape.isEmpty())
            {
                throw new IllegalArgumentException("the geometry is empty, text=" + text);
            }
            for (final org.locationtech.jts.geom.Coordinate each : shape.getCoordinates())
            {
                Shapes.check(srid, new double[] {each.x, each.y});
            }
            return new Geometry(srid, Shapes.valid(shape));
        }
        catch (final ParseException malformed)
        {
            throw new IllegalArgumentException("not well-known text of a geometry, reason=" + malformed.getMessage(),
                malformed);
        }
    }
}
