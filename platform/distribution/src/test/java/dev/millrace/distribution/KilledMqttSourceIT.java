package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server that is killed while it receives messages by MQTT, and a broker that is stopped in turn: the durable
 * processor receives each message, and only those without acknowledgement twice.
 */
@Timeout(600)
class KilledMqttSourceIT
{
    private static final String APPLICATION = "com.example.mqtt";
    private static final int ROUNDS = Integer.getInteger("millrace.kills", 2);
    private static final int ROWS_PER_ROUND = 4_000;
    private static final int RECEIVE_MAXIMUM = 500;
    private static final String ASSEMBLY = """
        <beans xmlns="http://www.springframework.org/schema/beans" xmlns:wlevs="http://www.bea.com/ns/wlevs/spring">
          <wlevs:event-type-repository>
            <wlevs:event-type type-name="Reading"><wlevs:properties>
              <wlevs:property name="id" type="bigint"/><wlevs:property name="topic" type="char"/>
            </wlevs:properties></wlevs:event-type>
            <wlevs:event-type type-name="Total"><wlevs:properties>
              <wlevs:property name="ids" type="bigint"/><wlevs:property name="n" type="bigint"/>
            </wlevs:properties></wlevs:event-type>
          </wlevs:event-type-repository>
          <wlevs:adapter id="readings" provider="mqtt-inbound">
            <wlevs:listener ref="readingsIn"/>
            <wlevs:instance-property name="url" value="BROKER"/>
            <wlevs:instance-property name="topics" value="plant/+"/>
            <wlevs:instance-property name="topicColumn" value="topic"/>
            <wlevs:instance-property name="receiveMaximum" value="500"/>
            <wlevs:instance-property name="maxRetryMillis" value="100"/>
          </wlevs:adapter>
          <wlevs:channel id="readingsIn" event-type="Reading"><wlevs:listener ref="counter"/></wlevs:channel>
          <wlevs:processor id="counter"/>
          <wlevs:channel id="countsOut" event-type="Total" source="counter">
            <wlevs:listener ref="archive"/><wlevs:listener ref="totals"/></wlevs:channel>
          <wlevs:adapter id="archive" provider="csv-outbound">
            <wlevs:instance-property name="file" value="var/archive/counts.csv"/>
            <wlevs:instance-property name="exactlyOnce" value="true"/>
          </wlevs:adapter>
          <wlevs:adapter id="totals" provider="mqtt-outbound">
            <wlevs:instance-property name="url" value="BROKER"/>
            <wlevs:instance-property name="topic" value="totals"/>
            <wlevs:instance-property name="qos" value="0"/>
            <wlevs:instance-property name="retained" value="true"/>
            <wlevs:instance-property name="maxRetryMillis" value="100"/>
          </wlevs:adapter>
        </beans>""";
    private static final String RULES = """
        <wlevs:config xmlns:wlevs="http://www.bea.com/ns/wlevs/config/application">
          <processor><name>counter</name><durable>true</durable><rules><query id="count"><![CDATA[IStream(
            select count(distinct id) as ids, count(*) as n from readingsIn)]]></query></rules></processor>
        </wlevs:config>""";

    @TempDir
    private Path directory;

    private Path application(final String url) throws IOException
    {
        return new TestBundle(APPLICATION, ASSEMBLY.replace("BROKER", url)).configuration(RULES).write(directory);
    }

    private static void publish(final int port, final int round) throws Exception
    {
        final Mqtt5AsyncClient client = MqttClient.builder().useMqttVersion5().serverHost("127.0.0.1").serverPort(port)
            .buildAsync();
        client.connect().get(60, TimeUnit.SECONDS);
        final List<CompletableFuture<?>> confirmed = new ArrayList<>();
        for (int row = 0; row < ROWS_PER_ROUND; row++)
        {
            confirmed.add(client.publishWith().topic("plant/" + row % 7).qos(MqttQos.AT_LEAST_ONCE)
                .payload(("{\"id\":" + (round * ROWS_PER_ROUND + row) + "}").getBytes(StandardCharsets.UTF_8)).send());
        }
        CompletableFuture.allOf(confirmed.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
        client.disconnect().get(60, TimeUnit.SECONDS);
    }

    @Test
    void shouldLoseNoMessageWhenTheServerIsKilledAndTheBrokerIsStoppedInTurn() throws Exception
    {
        final Random random = Product.random();
        try (MessageBroker broker = new MessageBroker(directory.resolve("broker"));
            RunningInstance instance = new RunningInstance(directory.resolve("killed")))
        {
            final Path archive = instance.domain.directory().resolve("var/archive/counts.csv");
            instance.client.install(application(broker.url()));
            instance.awaitState(APPLICATION, "RUNNING");
            for (int round = 0; round < ROUNDS; round++)
            {
                publish(broker.port(), round);
                final int least = round * ROWS_PER_ROUND + 1 + random.nextInt(ROWS_PER_ROUND / 2);
                Product.await(least + " rows", 120, () -> Product.lines(archive, "\\d+,\\d+").size() >= least);
                instance.kill();
                instance.start();
                instance.awaitState(APPLICATION, "RUNNING");
                broker.stop();
                instance.awaitState(APPLICATION, "DEGRADED");
                broker.start();
                instance.awaitState(APPLICATION, "RUNNING");
            }
            final String all = ROUNDS * ROWS_PER_ROUND + ",";
            Product.await("the last row", 120, () ->
                Product.lines(archive, "\\d+,\\d+").stream().anyMatch(line -> line.startsWith(all)));
            final List<String> lines = Product.lines(archive, "\\d+,\\d+");
            final String last = lines.get(lines.size() - 1);
            assertThat(last).startsWith(all);
            // Each kill and each outage repeats what was not acknowledged.
            assertThat(Integer.parseInt(last.substring(all.length()))).isBetween(ROUNDS * ROWS_PER_ROUND,
                ROUNDS * (ROWS_PER_ROUND + 2 * RECEIVE_MAXIMUM));
        }
    }
}
