package dev.millrace.cartridge.spatial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class SpatialFunctionsTest
{
    private final SpatialFunctions plane = new SpatialFunctions(SpatialContext.of(Map.of()));
    private final SpatialFunctions globe = new SpatialFunctions(SpatialContext.of(Map.of("srid", "8307")));

    private Geometry square()
    {
        return plane.createRectangle(0, 0, 10, 10);
    }

    /** contain counts the boundary, inside does not; a tolerance widens the boundary. */
    @ParameterizedTest
    @CsvSource({
        "5, 5, 0,     true,  true,  true",
        "10, 5, 0,    true,  false, true",
        "10.5, 5, 0,  false, false, false",
        "10.5, 5, 1,  true,  false, true",
        "9.5, 5, 1,   true,  false, true",
        "8, 5, 1,     true,  true,  true",
        "11, 11, 1,   false, false, false",
        "12, 5, 1,    false, false, false"})
    void shouldRelatePointToSquare(final double x, final double y, final double tolerance, final boolean contains,
        final boolean inside, final boolean interacts)
    {
        final Geometry key = plane.createPoint(x, y);
        assertThat(plane.contain(square(), key, tolerance)).isEqualTo(contains);
        assertThat(plane.inside(square(), key, tolerance)).isEqualTo(inside);
        assertThat(plane.anyInteract(square(), key, tolerance)).isEqualTo(interacts);
        assertThat(plane.withinDistance(square(), key, tolerance)).isEqualTo(interacts);
        assertThat(plane.nn(square(), key, tolerance)).isEqualTo(interacts);
    }

    /** The corner is sqrt(2) away, but the rectangles meet. */
    @Test
    void shouldCompareOnlyRectanglesInFilter()
    {
        final Geometry key = plane.createPoint(11, 11);
        assertThat(plane.filter(square(), key, 1)).isTrue();
        assertThat(plane.withinDistance(square(), key, 1)).isFalse();
        assertThat(plane.withinDistance(square(), key, 1.4143)).isTrue();
    }

    @Test
    void shouldContainPolygonsOnlyAsAWhole()
    {
        assertThat(plane.contain(square(), plane.createRectangle(2, 2, 8, 8), 0)).isTrue();
        assertThat(plane.contain(square(), plane.createRectangle(2, 2, 12, 8), 0)).isFalse();
        assertThat(plane.contain(square(), plane.createRectangle(2, 2, 12, 8), 3)).isTrue();
        assertThat(plane.anyInteract(square(), plane.createRectangle(2, 2, 12, 8), 0)).isTrue();
    }

    @Test
    void shouldLeaveOutHoles()
    {
        final Geometry ring = plane.createGeometry(Geometry.GTYPE_POLYGON, plane.einfogenerator(1, 1003, 3, 5, 2003, 3),
            plane.ordsgenerator(0, 0, 10, 10, 4, 4, 6, 6));
        assertThat(plane.contain(ring, plane.createPoint(5, 5), 0)).isFalse();
        assertThat(plane.contain(ring, plane.createPoint(2, 2), 0)).isTrue();
        assertThat(plane.distance(ring, plane.createPoint(5, 5))).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        "1; 1,1,1; 3,4; POINT (3 4)",
        "2001; 1,1,1; 3,4; POINT (3 4)",
        "2; 1,2,1; 0,0,3,4; LINESTRING (0 0, 3 4)",
        "3; 1,1003,1; 1,1,9,1,5,7; POLYGON ((1 1, 9 1, 5 7, 1 1))",
        "2003; 1,1003,3; 0,0,2,1; POLYGON ((0 0, 2 0, 2 1, 0 1, 0 0))",
        "5; 1,1,2; 0,0,1,1; MULTIPOINT ((0 0), (1 1))",
        "6; 1,2,1,5,2,1; 0,0,1,1,5,5,6,6; MULTILINESTRING ((0 0, 1 1), (5 5, 6 6))",
        "4; 1,1,1,3,2,1; 9,9,0,0,1,1; GEOMETRYCOLLECTION (POINT (9 9), LINESTRING (0 0, 1 1))"})
    void shouldReadArrays(final int type, final String info, final String ordinates, final String text)
    {
        final int[] elements = Arrays.stream(info.split(",")).mapToInt(Integer::parseInt).toArray();
        final double[] numbers = Arrays.stream(ordinates.split(",")).mapToDouble(Double::parseDouble)
            .toArray();
        assertThat(plane.createGeometry(type, elements, numbers)).hasToString(text);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        "3; 1,1003,1; 0,0,2,4; three points",
        "3; 1,1003,1; 0,0,4,4,4,0,0,4; Self-intersection",
        "3; 1,1003,2; 1,1,9,1,5,7; interpretation=2",
        "3; 1,2003,1; 1,1,9,1,5,7; begins with a hole",
        "3; 1,2,1; 0,0,2,4; only polygons",
        "1; 1,1,2; 0,0,1,1; points=2",
        "1; 1,1; 0,0; three numbers per element",
        "2; 5,2,1; 0,0,1,1; start=5",
        "9; 1,1007,1; 0,0,1,1; gtype=9",
        "3001; 1,1,1; 0,0,1; gtype=3001",
        "2; 1,2,1; 0,0,1; y coordinate is missing",
        "3; 1,1003,4; 0,0,1,1,2,2; on one line",
        "1; 1,1,1; NaN,0; finite"})
    void shouldRejectMalformedArrays(final int type, final String info, final String ordinates, final String reason)
    {
        final int[] elements = Arrays.stream(info.split(",")).mapToInt(Integer::parseInt).toArray();
        final double[] numbers = Arrays.stream(ordinates.split(",")).mapToDouble(Double::parseDouble)
            .toArray();
        assertThatIllegalArgumentException().isThrownBy(() -> plane.createGeometry(type, elements, numbers))
            .withMessageContaining(reason);
    }

    @Test
    void shouldReadWellKnownText()
    {
        assertThat(plane.toGeometry("POLYGON((0 0,4 0,4 4,0 0))").getType()).isEqualTo("Polygon");
        assertThatIllegalArgumentException().isThrownBy(() -> plane.toGeometry("POLYGON((0 0"))
            .withMessageContaining("well-known text");
        assertThatIllegalArgumentException().isThrownBy(() -> plane.toGeometry("POINT EMPTY"))
            .withMessageContaining("empty");
        assertThatIllegalArgumentException().isThrownBy(() -> globe.toGeometry("POINT (200 0)"))
            .withMessageContaining("longitude=200");
    }

    @Test
    void shouldApproximateCircle()
    {
        final Geometry circle = plane.createCircle(0, 0, 100);
        assertThat(circle.getNumPoints()).isEqualTo(65);
        assertThat(plane.contain(circle, plane.createPoint(99, 0), 0)).isTrue();
        assertThat(plane.createCircle(0, 0, 100, 0.001).getNumPoints()).isGreaterThan(500);
        assertThatIllegalArgumentException().isThrownBy(() -> plane.createCircle(0, 0, 0))
            .withMessageContaining("radius");
    }

    @Test
    void shouldBufferAndBound()
    {
        assertThat(plane.get2dMbr(plane.bufferPolygon(square(), 2))).containsExactly(-2, -2, 12, 12);
    }

    /** A minute of latitude at 45 degrees is 1,852.2 m; a degree of longitude at the equator is 111,319.491 m. */
    @Test
    void shouldMeasureMetersOnTheEllipsoid()
    {
        assertThat(globe.distance(globe.createPoint(0, 0), globe.createPoint(1, 0)))
            .isCloseTo(111_319.491, within(0.001));
        assertThat(globe.distance(globe.createPoint(8, 45), globe.createPoint(8, 45 + 1 / 60.0)))
            .isCloseTo(1_852.2, within(0.1));
    }

    /** Paris to London, by the published coordinates of both: 343.6 km on WGS 84. */
    @Test
    void shouldAgreeWithAKnownDistance()
    {
        assertThat(globe.distance(globe.createPoint(2.3522, 48.8566), globe.createPoint(-0.1276, 51.5072)))
            .isCloseTo(343_923, within(500.0));
    }

    @Test
    void shouldMeasureToEdgesOnTheEllipsoid()
    {
        final Geometry area = globe.createRectangle(8, 47, 8.01, 47.01);
        final Geometry key = globe.createPoint(8.02, 47.005);
        final double exact = globe.distance(key, globe.createPoint(8.01, 47.005));
        assertThat(globe.distance(area, key)).isCloseTo(exact, within(exact * 1.0e-6));
        assertThat(globe.withinDistance(area, key, exact + 0.01)).isTrue();
        assertThat(globe.withinDistance(area, key, exact - 0.01)).isFalse();
        assertThat(globe.contain(area, key, exact + 0.01)).isTrue();
        assertThat(globe.contain(area, globe.createPoint(8.005, 47.005), 0)).isTrue();
    }

    @Test
    void shouldSeeNeighborsAcrossTheDateLine()
    {
        final Geometry east = globe.createPoint(179.999, 0);
        final Geometry west = globe.createPoint(-179.999, 0);
        assertThat(globe.distance(east, west)).isCloseTo(222.6, within(0.1));
        assertThat(globe.withinDistance(east, west, 223)).isTrue();
        assertThat(globe.withinDistance(west, east, 223)).isTrue();
        assertThat(globe.withinDistance(west, east, 222)).isFalse();
    }

    @Test
    void shouldDrawCirclesInMeters()
    {
        final Geometry circle = globe.createCircle(8, 60, 1_000);
        final Geometry centre = globe.createPoint(8, 60);
        assertThat(globe.contain(circle, centre, 0)).isTrue();
        assertThat(globe.contain(circle, globe.createPoint(8, 60.0089), 0)).isTrue();
        assertThat(globe.contain(circle, globe.createPoint(8, 60.0091), 0)).isFalse();
        assertThat(globe.contain(globe.bufferPolygon(centre, 1_000), globe.createPoint(8.0175, 60), 0)).isTrue();
    }

    @Test
    void shouldRefuseDifferentCoordinateSystems()
    {
        assertThatIllegalArgumentException().isThrownBy(
            () -> plane.distance(plane.createPoint(0, 0), plane.createPoint(25_832, 0, 0)))
            .withMessageContaining("srid=0 other=25832");
        assertThat(plane.distance(plane.createPoint(8307, 0, 0), plane.createPoint(4326, 0, 0))).isZero();
    }

    @Test
    void shouldCompareGeometriesByPoints()
    {
        assertThat(plane.createPoint(1, 2)).isEqualTo(plane.createPoint(1, 2)).hasSameHashCodeAs(
            plane.createPoint(1, 2)).isNotEqualTo(plane.createPoint(8307, 1, 2)).isNotEqualTo(square());
        assertThat(plane.createPoint(1, 2).getX()).isEqualTo(1);
        assertThat(plane.createPoint(1, 2).getY()).isEqualTo(2);
        assertThatIllegalArgumentException().isThrownBy(() -> square().getX()).withMessageContaining("Polygon");
    }

    @ParameterizedTest
    @CsvSource({"srid, -1", "srid, x", "tolerance, -1", "tolerance, NaN", "sma, 0", "rof, none"})
    void shouldRejectBadParameters(final String name, final String value)
    {
        assertThatIllegalArgumentException().isThrownBy(() -> SpatialContext.of(Map.of(name, value)))
            .withMessageContaining(name + '=' + value);
    }
}
