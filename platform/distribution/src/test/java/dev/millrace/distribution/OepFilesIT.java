package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.distribution.Product.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A domain, an application and a file of the load generator as users of Oracle Event Processing write them run as they
 * are, except for ports.
 */
@Timeout(300)
class OepFilesIT
{
    private static final String PASSWORD = "not-a-secret";
    private static final String SECURE_PORT = """
          <netio><name>sslNetIo</name><ssl-config-bean-name>sslConfig</ssl-config-bean-name><port>0</port></netio>
          <ssl>
            <name>sslConfig</name>
            <key-store>KEYS</key-store>
            <key-store-pass><password>not-a-secret</password></key-store-pass>
            <key-store-alias>evsidentity</key-store-alias>
            <key-manager-algorithm>SunX509</key-manager-algorithm>
            <ssl-protocol>TLS</ssl-protocol>
            <enforce-fips>false</enforce-fips>
            <need-client-auth>false</need-client-auth>
          </ssl>
          <jetty><name>JettyServer</name><network-io-name>NetIO</network-io-name>
            <secure-network-io-name>sslNetIo</secure-network-io-name></jetty>
        </n1:config>""";
    private static final String ASSEMBLY = """
        <beans xmlns="http://www.springframework.org/schema/beans" xmlns:wlevs="http://www.bea.com/ns/wlevs/spring">
          <wlevs:event-type-repository><wlevs:event-type type-name="VehicleEvent"><wlevs:properties>
            <wlevs:property name="vehicleID" type="char"/><wlevs:property name="assetType" type="char"/>
            <wlevs:property name="loaded" type="boolean"/>
          </wlevs:properties></wlevs:event-type></wlevs:event-type-repository>
          <wlevs:adapter id="feed" provider="csvgen">
            <wlevs:listener ref="vehicles"/><wlevs:listener ref="raw"/><wlevs:listener ref="seen"/>
            <wlevs:listener ref="counted"/>
            <wlevs:instance-property name="port" value="${loadgen.port}"/>
            <wlevs:instance-property name="eventTypeName" value="VehicleEvent"/>
            <wlevs:instance-property name="eventPropertyNames" value="vehicleID,assetType,loaded"/>
          </wlevs:adapter>
          <wlevs:adapter id="raw" provider="csv-outbound">
            <wlevs:instance-property name="file" value="var/raw.csv"/></wlevs:adapter>
          <wlevs:adapter id="seen" provider="log-outbound">
            <wlevs:instance-property name="level" value="warn"/>
            <wlevs:instance-property name="columns" value="vehicleID"/>
            <wlevs:instance-property name="maxLinesPerSecond" value="1000"/></wlevs:adapter>
          <wlevs:adapter id="counted" provider="null-outbound"/>
          <wlevs:adapter id="generated" provider="generator">
            <wlevs:listener ref="others"/>
            <wlevs:instance-property name="columns" value="vehicleID = sequence(1, 1, V);
              assetType = choice(Car:9, Truck)"/>
            <wlevs:instance-property name="count" value="777"/></wlevs:adapter>
          <wlevs:channel id="others" event-type="VehicleEvent"><wlevs:listener ref="drained"/></wlevs:channel>
          <wlevs:adapter id="drained" provider="null-outbound"/>
          <wlevs:channel id="vehicles" event-type="VehicleEvent" manageable="true" lazy-init="false">
            <wlevs:listener ref="rules"/></wlevs:channel>
          <wlevs:processor id="rules"/>
          <wlevs:channel id="out" event-type="VehicleEvent" advertise="true" source="rules">
            <wlevs:instance-property name="partitionByEventProperty" value="assetType"/>
            <wlevs:listener ref="one"/><wlevs:listener ref="two"/>
          </wlevs:channel>
          <wlevs:adapter id="one" provider="csv-outbound">
            <wlevs:instance-property name="file" value="var/one.csv"/></wlevs:adapter>
          <wlevs:adapter id="two" provider="csv-outbound">
            <wlevs:instance-property name="file" value="var/two.csv"/></wlevs:adapter>
          <wlevs:channel id="last" event-type="VehicleEvent" is-relation="true" source="lastRules"/>
          <wlevs:processor id="lastRules"><wlevs:source ref="vehicles"/></wlevs:processor>
        </beans>
        """;
    private static final String RULES = """
        <n1:config xmlns:n1="http://www.bea.com/ns/wlevs/config/application">
          <processor><name>rules</name><rules>
            <query id="all"><![CDATA[select vehicleID, assetType, loaded from vehicles]]></query></rules></processor>
          <processor><name>lastRules</name><rules><query id="newest"><![CDATA[
            select vehicleID, assetType, loaded from vehicles [partition by vehicleID rows 1]]]></query></rules>
          </processor>
        </n1:config>
        """;

    @TempDir
    private static Path directory;

    private static RunningInstance instance;

    @BeforeAll
    static void start() throws Exception
    {
        final Path keys = directory.resolve("evsidentity.jks");
        keytool(keys, "-genkeypair", "-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=localhost", "-ext",
            "SAN=DNS:localhost", "-storetype", "JKS", "-keypass", PASSWORD, "-validity", "2");
        keytool(keys, "-exportcert", "-rfc", "-file", directory.resolve("server.pem").toString());
        instance = new RunningInstance(directory.resolve("oep"), configuration ->
            configuration.replace("</n1:config>", SECURE_PORT.replace("KEYS", keys.toString())));
    }

    @AfterAll
    static void stop()
    {
        instance.close();
    }

    private static void keytool(final Path keys, final String... options) throws Exception
    {
        final List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-keystore", keys.toString(),
            "-storepass", PASSWORD, "-alias", "evsidentity"));
        command.addAll(List.of(options));
        assertThat(new ProcessBuilder(command).redirectErrorStream(true)
            .redirectOutput(directory.resolve("keytool.log").toFile()).start().waitFor()).isZero();
    }

    private static Path bundle() throws IOException
    {
        return new TestBundle("com.example.vehicles", ASSEMBLY).configuration(RULES).write(directory);
    }

    private static List<String> rows(final String file) throws IOException
    {
        try (Stream<String> lines = Files.lines(instance.domain.directory().resolve("var").resolve(file)))
        {
            return lines.skip(1).sorted().toList();
        }
    }

    @Test
    void shouldDeployApplicationAndPlayFileOfLoadGenerator() throws Exception
    {
        final Result installed = instance.app("install", bundle());
        assertThat(installed.exitCode()).as(installed.output()).isZero();
        assertThat(installed.output()).contains("RUNNING")
            .contains("EPN-1216: all properties together identify a row")
            .contains("EPN-1216: other applications cannot take rows of the stage, because each of its events goes")
            .doesNotContain("error");
        Files.writeString(directory.resolve("vehicles.csv"), "0815,Truck,1\n57,Car,0\n6,Golf Cart,1\n22,Boat,maybe\n");
        final Path properties = Files.writeString(directory.resolve("vehicles.prop"), """
            test.csvDataFile=vehicles.csv
            test.port=%d
            test.packetType=CSV
            test.mode=client
            test.senders=1
            test.latencyStats=false
            test.statInterval=2000
            test.loopBack=false
            test.secs=30
            test.rate=1000
            """.formatted(instance.ports.loadgen()));

        final Result played = Product.run(
            Map.of(), Product.HOME.loadGenerator(), properties.toString(), "-Dtest.maxEvents=8");

        assertThat(played.exitCode()).as(played.output()).isZero();
        assertThat(played.output()).containsOnlyOnce("GEN-0108").contains("keys=test.loopBack;").contains("sent 8 ");
        final List<String> expected = List.of("0815,Truck,true", "0815,Truck,true", "57,Car,false", "57,Car,false",
            "6,Golf Cart,true", "6,Golf Cart,true");
        assertThat(rows("raw.csv")).isEqualTo(expected);
        assertThat(Stream.concat(rows("one.csv").stream(), rows("two.csv").stream()).sorted().toList())
            .isEqualTo(expected);
        assertThat(rows("one.csv")).doesNotContainAnyElementsOf(rows("two.csv"));
        final String statistics = instance.app("statistics", "com.example.vehicles").output();
        assertThat(statistics).contains("rejected bad-value=2").contains("received=6").contains("omitted=0")
            .contains("generated=777").contains("received=777");
        try (Stream<String> log = Files.lines(instance.domain.directory().resolve("logs/server.log")))
        {
            assertThat(log.filter(line -> line.contains("millrace.events.com.example.vehicles.seen - "))
                .map(line -> line.substring(line.indexOf(" - ") + 3)).sorted()).containsExactly(
                    "{\"vehicleID\":\"0815\"}", "{\"vehicleID\":\"0815\"}", "{\"vehicleID\":\"57\"}",
                    "{\"vehicleID\":\"57\"}", "{\"vehicleID\":\"6\"}", "{\"vehicleID\":\"6\"}");
        }
    }

    @Test
    void shouldAnswerCommandsOnSecurePort() throws Exception
    {
        final int port = instance.client.server().getAsJsonObject("ports").get("managementSecure").getAsInt();
        final String url = "https://localhost:" + port;

        final Result trusted = instance.app("list", "--url", url, "--trusted-certificates",
            directory.resolve("server.pem"));
        assertThat(trusted.exitCode()).as(trusted.output()).isZero();
        assertThat(instance.app("list", "--url", url).output()).contains("CMD-0125");
    }
}
