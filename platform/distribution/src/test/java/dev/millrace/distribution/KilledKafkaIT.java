package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server and a broker that are killed in turn: the durable processor counts each record once, and the topic of the
 * results contains each row once. {@code -Dmillrace.kills=20} repeats it more often.
 */
@Timeout(600)
class KilledKafkaIT
{
    private static final String APPLICATION = "com.example.kafka";
    private static final int KILLS = Integer.getInteger("millrace.kills", 2);
    private static final int PARTITIONS = 3;
    private static final int ROWS_PER_KILL = 20_000;
    private static final String ASSEMBLY = """
        <beans xmlns="http://www.springframework.org/schema/beans" xmlns:wlevs="http://www.bea.com/ns/wlevs/spring">
          <wlevs:event-type-repository>
            <wlevs:event-type type-name="Order"><wlevs:properties>
              <wlevs:property name="id" type="bigint"/><wlevs:property name="shop" type="char"/>
            </wlevs:properties></wlevs:event-type>
            <wlevs:event-type type-name="Total"><wlevs:properties>
              <wlevs:property name="n" type="bigint"/><wlevs:property name="total" type="bigint"/>
            </wlevs:properties></wlevs:event-type>
          </wlevs:event-type-repository>
          <wlevs:adapter id="orders" provider="kafka-inbound">
            <wlevs:listener ref="ordersIn"/>
            <wlevs:instance-property name="servers" value="SERVERS"/>
            <wlevs:instance-property name="topics" value="orders"/>
            <wlevs:instance-property name="format" value="csv"/>
            <wlevs:instance-property name="answerMillis" value="1000"/>
            <wlevs:instance-property name="maxRetryMillis" value="200"/>
            <wlevs:instance-property name="clientProperties">
              <value>session.timeout.ms=6000</value></wlevs:instance-property>
          </wlevs:adapter>
          <wlevs:channel id="ordersIn" event-type="Order"><wlevs:listener ref="counter"/></wlevs:channel>
          <wlevs:processor id="counter"/>
          <wlevs:channel id="countsOut" event-type="Total" source="counter">
            <wlevs:listener ref="results"/></wlevs:channel>
          <wlevs:adapter id="results" provider="kafka-outbound">
            <wlevs:instance-property name="servers" value="SERVERS"/>
            <wlevs:instance-property name="topic" value="counts"/>
            <wlevs:instance-property name="exactlyOnce" value="true"/>
            <wlevs:instance-property name="answerMillis" value="2000"/>
            <wlevs:instance-property name="maxRetryMillis" value="200"/>
          </wlevs:adapter>
        </beans>""";
    /** Counts all rows: n is the number of the row if each was received once. */
    private static final String RULES =
        "<wlevs:config xmlns:wlevs=\"http://www.bea.com/ns/wlevs/config/application\"><processor>" +
        "<name>counter</name><durable>true</durable><rules><query id=\"count\"><![CDATA[IStream(" +
        "select count(*) as n, sum(id) as total from ordersIn)]]></query></rules></processor></wlevs:config>";

    @TempDir
    private Path directory;
    private final List<String> results = new ArrayList<>();

    private Path application(final String servers) throws IOException
    {
        return new TestBundle(APPLICATION, ASSEMBLY.replace("SERVERS", servers)).configuration(RULES).write(directory);
    }

    /** Writes records with consecutive ids; the client repeats what the broker has not confirmed. */
    private static void put(final Producer<String, String> producer, final long first, final long count)
    {
        for (long id = first; id < first + count; id++)
        {
            producer.send(new ProducerRecord<>("orders", (int)(id % PARTITIONS), null, id + ",S" + id % 97));
        }
    }

    private int read(final Consumer<String, String> consumer)
    {
        consumer.poll(Duration.ofMillis(100)).forEach(record -> results.add(record.value()));
        return results.size();
    }

    @Test
    void shouldCountAndWriteEveryRowOnceWhenServerAndBrokerAreKilledAgainAndAgain() throws Exception
    {
        final Random random = Product.random();
        final int rows = (KILLS + 1) * ROWS_PER_KILL;
        try (BrokerProcess broker = new BrokerProcess(directory.resolve("broker"));
            RunningInstance instance = new RunningInstance(directory.resolve("killed"));
            Producer<String, String> producer = new KafkaProducer<>(Map.of("bootstrap.servers", broker.servers()),
                new StringSerializer(), new StringSerializer());
            Consumer<String, String> consumer = new KafkaConsumer<>(Map.of("bootstrap.servers", broker.servers(),
                "isolation.level", "read_committed", "auto.offset.reset", "earliest"), new StringDeserializer(),
                new StringDeserializer()))
        {
            broker.createTopics(Map.of("orders", PARTITIONS, "counts", 1));
            consumer.assign(List.of(new TopicPartition("counts", 0)));
            instance.client.install(application(broker.servers()));
            for (int kill = 0; kill < KILLS; kill++)
            {
                put(producer, kill * (long)ROWS_PER_KILL, ROWS_PER_KILL);
                final int until = kill * ROWS_PER_KILL + 1 + random.nextInt(ROWS_PER_KILL - 1);
                Product.await(until + " rows", 60, () -> read(consumer) >= until);
                kill(kill % 2 == 0, instance, broker);
            }
            put(producer, KILLS * (long)ROWS_PER_KILL, ROWS_PER_KILL);
            // The count of no rows is the first result.
            Product.await("the last row", 120, () -> read(consumer) >= rows + 1);
            final List<JsonObject> counts =
                results.stream().map(JsonParser::parseString).map(each -> each.getAsJsonObject()).toList();
            assertThat(counts).map(each -> each.get("n").getAsLong())
                .isEqualTo(LongStream.rangeClosed(0, rows).boxed().toList());
            assertThat(counts.get(rows).get("total").getAsLong()).isEqualTo(LongStream.range(0, rows).sum());
        }
    }

    private static void kill(final boolean isServer, final RunningInstance instance, final BrokerProcess broker)
        throws IOException, InterruptedException
    {
        if (isServer)
        {
            instance.kill();
            instance.start();
        }
        else
        {
            broker.kill();
            instance.awaitState(APPLICATION, "DEGRADED");
            broker.start();
        }
        instance.awaitState(APPLICATION, "RUNNING");
    }
}
