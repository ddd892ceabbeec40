package dev.millrace.house;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.house.KnownBadVersions.Range;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The comparison of versions that decides whether a jar may be shipped. */
@Timeout(60)
class KnownBadVersionsTest
{
    @ParameterizedTest
    @CsvSource({"1.2.3,1.2.3,0", "1.2,1.2.0,0", "1.10.0,1.9.9,1", "2.0,10.0,-1", "12.1.14,12.1.7,1", "1.2.3,1.2,1",
        "33.4.8-jre,32.0.0,1", "33.4.8-jre,33.4.8,0", "4.2.18.Final,4.2.18,0", "2.0-rc1,2.0,-1", "2.0.0.M3,2.0,-1",
        "1.0-SNAPSHOT,1.0,-1", "1.0.0-beta.2,1.0.0-alpha,0"})
    void shouldOrderVersions(final String left, final String right, final int order)
    {
        assertThat(Integer.signum(KnownBadVersions.compare(left, right))).isEqualTo(order);
        assertThat(Integer.signum(KnownBadVersions.compare(right, left))).isEqualTo(-order);
    }

    @Test
    void shouldKnowWhichVersionsAreBad() throws IOException
    {
        assertThat(bad("jetty-server", "12.0.38")).hasSize(1);
        assertThat(bad("jetty-io", "12.1.6")).hasSize(1);
        assertThat(bad("jetty-server", "12.1.14")).isEmpty();
        assertThat(bad("jetty-server", "11.0.20")).hasSize(1);
        assertThat(bad("ignite-core", "2.17.0")).hasSize(1);
        assertThat(bad("ignite-core", "2.18.0")).isEmpty();
        assertThat(bad("spring-beans", "7.0.7")).hasSize(1);
        assertThat(bad("spring-beans", "6.2.19")).isEmpty();
        assertThat(bad("snakeyaml", "1.33")).hasSize(1);
        assertThat(bad("log4j-core", "1.2.17")).isEmpty();
        assertThat(bad("log4j-core-extras", "2.14.0")).isEmpty();
        assertThat(bad("org.apache.felix.http.jetty12", "99.0")).hasSize(1);
    }

    private static List<Range> bad(final String artifact, final String version) throws IOException
    {
        return KnownBadVersions.read().stream().filter(range -> range.has(artifact, version)).toList();
    }
}
