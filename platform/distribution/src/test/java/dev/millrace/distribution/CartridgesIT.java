package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.distribution.Product.Result;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import org.h2.Driver;
import org.h2.tools.Server;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rules of a deployed application call cartridges. */
@Timeout(300)
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

    private static final String ORDERS = """
        <beans xmlns="http://www.springframework.org/schema/beans" xmlns:wlevs="http://www.bea.com/ns/wlevs/spring"
               xmlns:jdbc="http://www.oracle.com/ns/ocep/jdbc">
          <wlevs:event-type-repository>
            <wlevs:event-type type-name="Order"><wlevs:properties>
              <wlevs:property name="id" type="int"/><wlevs:property name="body" type="char"/>
            </wlevs:properties></wlevs:event-type>
            <wlevs:event-type type-name="Priced"><wlevs:properties>
              <wlevs:property name="id" type="int"/><wlevs:property name="price" type="double"/>
            </wlevs:properties></wlevs:event-type>
          </wlevs:event-type-repository>
          <jdbc:jdbc-context id="Shop"/>
          <wlevs:adapter id="orders" provider="csv-inbound">
            <wlevs:listener ref="ordersIn"/>
            <wlevs:instance-property name="directory" value="var/orders"/>
          </wlevs:adapter>
          <wlevs:channel id="ordersIn" event-type="Order"><wlevs:listener ref="prices"/></wlevs:channel>
          <wlevs:processor id="prices"/>
          <wlevs:channel id="pricesOut" event-type="Priced" source="prices"><wlevs:listener ref="archive"/>
          </wlevs:channel>
          <wlevs:adapter id="archive" provider="csv-outbound">
            <wlevs:instance-property name="file" value="var/archive/prices.csv"/>
          </wlevs:adapter>
        </beans>""";
    private static final String PRICES = """
        <wlevs:config xmlns:wlevs="http://www.bea.com/ns/wlevs/config/application"
                      xmlns:jc="http://www.oracle.com/ns/ocep/config/jdbc">
        <processor><name>prices</name><rules><query id="price"><![CDATA[
          RStream(select o.id as id, t.price as price from ordersIn [now] as o,
            TABLE(pricesOf@Shop(ARGUMENT) as price of double) as t)]]></query></rules></processor>
        <jc:jdbc-ctx><name>Shop</name><data-source>shop</data-source>
          <function name="pricesOf"><param name="item" type="char"/>
            <return-component-type>double</return-component-type>
            <sql><![CDATA[select price from items where name = :item and price < 100]]></sql>
            <cache><max-size>10</max-size><time-to-live>60000</time-to-live></cache>
          </function>
        </jc:jdbc-ctx></wlevs:config>""";

    @TempDir
    private static Path directory;

    private static RunningInstance instance;

    private static Server database;

    @BeforeAll
    static void start() throws Exception
    {
        database = Server.createTcpServer("-tcpPort", "0", "-baseDir", directory.resolve("database").toString(),
            "-ifNotExists").start();
        final String url = "jdbc:h2:tcp://127.0.0.1:" + database.getPort() + "/./shop";
        try (Connection connection = DriverManager.getConnection(url, "sa", "");
            Statement statement = connection.createStatement())
        {
            statement.execute("create table items (name varchar(20), price double precision)");
            statement.execute("insert into items values ('tea', 2.5), ('tea', 120), ('cup', 4)");
        }
        instance = new RunningInstance(directory.resolve("cartridges"), config -> config.replace("</n1:config>",
            "<data-source><name>shop</name><driver-params><url>" + url + "</url><driver-name>org.h2.Driver" +
            "</driver-name><properties><element><name>user</name><value>sa</value></element></properties>" +
            "</driver-params></data-source></n1:config>"));
    }

    @AfterAll
    static void stop()
    {
        instance.close();
        database.stop();
    }

    private static Path application(final String name, final String context, final String point) throws IOException
    {
        return bundle(name, ASSEMBLY.replace("CONTEXT", context), RULES.replace("stop@LINK", point));
    }

    private static Path bundle(final String name, final String assembly, final String rules) throws IOException
    {
        return new TestBundle("com.example." + name, assembly).configuration(rules).write(directory);
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
    void shouldCallStatementsOfADatabaseWithValuesOfJson() throws Exception
    {
        assertThat(install(Path.of(Driver.class.getProtectionDomain().getCodeSource().getLocation().toURI()))
            .exitCode()).isZero();
        final Result wrong = install(bundle("wrong", ORDERS, PRICES.replace("ARGUMENT", "o.id")));
        assertThat(wrong.exitCode()).isNotZero();
        assertThat(wrong.output()).contains("CQL-3008", "pricesOf@Shop(String)");
        final Result installed =
            install(bundle("orders", ORDERS, PRICES.replace("ARGUMENT", "json_value(o.body, '$.items[0]')")));
        assertThat(installed.exitCode()).as(installed.output()).isZero();
        final Path incoming = Files.createDirectories(instance.domain.directory().resolve("var/orders"));
        final Path file = Files.writeString(directory.resolve("orders"), "id,body\n" +
            "1,\"{\"\"items\"\":[\"\"tea\"\"]}\"\n" +
            "2,\"{\"\"items\"\":[\"\"pot\"\"]}\"\n3,\"{\"\"items\"\":[\"\"cup\"\"]}\"\n");
        Files.move(file, incoming.resolve("orders.csv"));
        final Path archive = instance.domain.directory().resolve("var/archive/prices.csv");
        Product.await("a price", 60, () -> read(archive).contains("3,"));
        assertThat(read(archive).lines().toList()).contains("1,2.5", "3,4.0").noneMatch(line -> line.startsWith("2"));
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
