package dev.millrace.cartridge.spatial;

import java.util.Map;
import java.util.Set;

/**
 * Parameters of a link of the spatial cartridge.
 *
 * @param srid                coordinate system of the geometries that the link creates
 * @param tolerance           distance up to which coordinates count as equal when a call names none
 * @param interactTolerance   the same for {@code anyInteract}
 * @param ellipsoid           figure of the earth, for geodetic coordinates
 */
record SpatialContext(int srid, double tolerance, double interactTolerance, Ellipsoid ellipsoid)
{
    /** Names in assembly files. */
    static final Set<String> PARAMETERS = Set.of("srid", "tolerance", "anyinteract-tolerance", "sma", "rof");

    /** Far less than any distance that matters, and more than the rounding errors of coordinates. */
    private static final String DEFAULT_TOLERANCE = "0.000000001";
    private static final String DEFAULT_INTERACT_TOLERANCE = "0.0000005";

    /**
     * Reads the parameters.
     *
     * @throws IllegalArgumentException if a value is invalid
     */
    static SpatialContext of(final Map<String, String> values)
    {
        final String srid = values.getOrDefault("srid", String.valueOf(Geometry.CARTESIAN));
        final Ellipsoid ellipsoid = new Ellipsoid(
            positive("sma", values.getOrDefault("sma", String.valueOf(Ellipsoid.WGS84_SEMI_MAJOR_AXIS_METERS))),
            positive("rof", values.getOrDefault("rof", String.valueOf(Ellipsoid.WGS84_RECIPROCAL_FLATTENING))));
        return new SpatialContext(srid(srid),
            notNegative("tolerance", values.getOrDefault("tolerance", DEFAULT_TOLERANCE)),
            notNegative("anyinteract-tolerance",
                values.getOrDefault("anyinteract-tolerance", DEFAULT_INTERACT_TOLERANCE)), ellipsoid);
    }

    private static int srid(final String value)
    {
        if (value.equalsIgnoreCase("cartesian"))
        {
            return Geometry.CARTESIAN;
        }
        if (value.equalsIgnoreCase("geodetic"))
        {
            return Geometry.LAT_LNG_WGS84;
        }
        try
        {
            final int srid = Integer.parseInt(value);
            if (srid >= 0)
            {
                return srid;
            }
        }
        catch (final NumberFormatException none)
        {
            // Reported below.
        }
        throw new IllegalArgumentException("srid=" + value +
            " is not a number from 0, cartesian or geodetic");
    }

    private static double positive(final String name, final String value)
    {
        final double number = notNegative(name, value);
        if (number == 0)
        {
            throw new IllegalArgumentException(name + '=' + value + " is not greater than 0");
        }
        return number;
    }

    private static double notNegative(final String name, final String value)
    {
        try
        {
            final double number = Double.parseDouble(value);
            if (number >= 0 && number <= Double.MAX_VALUE)
            {
                return number;
            }
        }
        catch (final NumberFormatException none)
        {
            // Reported below.
        }
        throw new IllegalArgumentException(name + '=' + value + " is not a number from 0");
    }
}
