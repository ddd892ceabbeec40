package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.distribution.Product.Result;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rules of a deployed application call cartridges. */
@Timeout(180)
class CartridgesIT
{
    private static final String ASSEMBLY = """
        <beans xmlns="http://www.springframework.org/schema/beans" xmlns:wlevs="http://www.bea.com/ns/wlevs/spring"
               xmlns:spatial="http://www.oracle.com/ns/ocep/spatial">
          <wlevs:event-type-repository>
            <wlevs:event-type type-name="Position"><wlevs:properties>
              <wlevs:property name="bus" type="char"/><wlevs:property name="lng" type="double"/>
              <wlevs:property name="lat" type="double"/>
            </wlevs:properties></wlevs:event-type>
            <wlevs:event-type type-name="Place"><wlevs:properties>
              <wlevs:property name="bus" type="char"/>
              <wlevs:property name="at" type="com.oracle.cep.cartridge.spatial.Geometry"/>
            </wlevs:properties></wlevs:event-type>
            <wlevs:event-type type-name="Arrival"><wlevs:properties>
              <wlevs:property name="bus" type="char"/><wlevs:property name="meters" type="int"/>
            </wlevs:properties></wlevs:event-type>
          </wlevs:event-type-repository>
          <spatial:context id="Wgs84" CONTEXT/>
          <wlevs:adapter id="positions" provider="csv-inbound">
            <wlevs:listener ref="positionsIn"/>
            <wlevs:instance-property name="directory" value="var/incoming"/>
          </wlevs:adapter>
          <wlevs:channel id="positionsIn" event-type="Position"><wlevs:listener ref="places"/></wlevs:channel>
          <wlevs:processor id="places"/>
          <wlevs:channel id="placesOut" event-type="Place" source="places"><wlevs:listener ref="arrivals"/>
          </wlevs:channel>
          <wlevs:processor id="arrivals"/>
          <wlevs:channel id="arrivalsOut" event-type="Arrival" source="arrivals"><wlevs:listener ref="archive"/>
          </wlevs:channel>
          <wlevs:adapter id="archive" provider="csv-outbound">
            <wlevs:instance-property name="file" value="var/archive/arrivals.csv"/>
          </wlevs:adapter>
        </beans>""";
    private static final String RULES = """
        <wlevs:config xmlns:wlevs="http://www.bea.com/ns/wlevs/config/application">
        <processor><name>places</name><rules><query id="place"><![CDATA[
          select bus, com.oracle.cep.cartridge.spatial.Geometry.createPoint@Wgs84(lng, lat) as at from positionsIn]]>
        </query></rules></processor>
        <processor><name>arrivals</name><rules><query id="arrival"><![CDATA[
          RStream(select a.bus as bus, to_int(distance@spatial(a.at, stop@LINK(8307, 8.54, 47.37))) as meters
          from placesOut [now] as a, placesOut [rows 1] as b
          where anyInteract@spatial(a.at, b.at, 1.0d) = true and
            WITHINDISTANCE@spatial(a.at, stop@LINK(8307, 8.54, 47.37), 150.0d) = true)]]>
        </query></rules></processor></wlevs:config>""";

    @TempDir
    private static Path directory;

    private static RunningInstance instance;

    @BeforeAll
    static void start() throws Exception
    {
        instance = new RunningInstance(directory.resolve("cartridges"));
    }

    @AfterAll
    static void stop()
    {
        instance.close();
    }

    private static Path application(final String name, final String context, final String point) throws IOException
    {
        final Manifest manifest = new Manifest();
        final Attributes attributes = manifest.getMainAttributes();
        attributes.putValue("Manifest-Version", "1.0");
        attributes.putValue("Bundle-ManifestVersion", "2");
        attributes.putValue("Bundle-SymbolicName", "com.example." + name);
        attributes.putValue("Bundle-Version", "1.0.0");
        final Path file = directory.resolve(name + ".jar");
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file), manifest))
        {
            jar.putNextEntry(new ZipEntry("META-INF/spring/context.xml"));
            jar.write(ASSEMBLY.replace("CONTEXT", context).getBytes(StandardCharsets.UTF_8));
            jar.putNextEntry(new ZipEntry("META-INF/wlevs/rules.xml"));
            jar.write(RULES.replace("stop@LINK", point).getBytes(StandardCharsets.UTF_8));
        }
        return file;
    }

    private static String read(final Path file)
    {
        try
        {
            return Files.exists(file) ? Files.readString(file) : "";
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    private static Result install(final Path application) throws IOException, InterruptedException
    {
        return Product.millrace("app", "install", "--domain", instance.domain.directory().toString(),
            application.toString());
    }

    /** The second bus is a tenth of a degree of longitude away, the first one 0.001 degrees: 75.5 m. */
    @Test
    void shouldCallSpatialFunctionsByTheLinkOfAContext() throws Exception
    {
        final Result installed = install(application("buses", "srid=\"8307\"", "createPoint@spatial"));
        assertThat(installed.exitCode()).as(installed.output()).isZero();
        final Path incoming = Files.createDirectories(instance.domain.directory().resolve("var/incoming"));
        final Path file = Files.writeString(directory.resolve("rows"), "bus,lng,lat\nb1,8.541,47.37\nb2,8.64,47.37\n");
        Files.move(file, incoming.resolve("rows.csv"));
        final Path archive = instance.domain.directory().resolve("var/archive/arrivals.csv");
        Product.await("an arrival", 60, () -> read(archive).contains("b1"));
        assertThat(read(archive).lines().toList()).contains("b1,75").noneMatch(line -> line.startsWith("b2"));
    }

    @Test
    void shouldRefuseUnknownLinksAndBadParameters() throws Exception
    {
        final Result link = install(application("links", "srid=\"8307\"", "createPoint@spatia"));
        assertThat(link.exitCode()).isNotZero();
        assertThat(link.output()).contains("CQL-2015", "spatia", "did you mean spatial?");
        final Result value = install(application("values", "srid=\"north\"", "createPoint@spatial"));
        assertThat(value.exitCode()).isNotZero();
        assertThat(value.output()).contains("EPN-1", "srid=north", "geodetic");
        final Result parameter = install(application("parameters", "sridd=\"0\"", "createPoint@spatial"));
        assertThat(parameter.exitCode()).isNotZero();
        assertThat(parameter.output()).contains("attribute=sridd", "srid");
    }
}
