package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSProducer;
import jakarta.jms.Queue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server that is killed while it receives messages, and a broker that is stopped in turn: the durable processor
 * counts each message once. The client of the broker is a bundle that is installed after the application.
 */
@Timeout(600)
class KilledJmsSourceIT
{
    private static final String APPLICATION = "com.example.jms";
    private static final int ROUNDS = Integer.getInteger("millrace.kills", 2);
    private static final int ROWS_PER_ROUND = 20_000;
    private static final String ASSEMBLY = """
        <beans xmlns="http://www.springframework.org/schema/beans" xmlns:wlevs="http://www.bea.com/ns/wlevs/spring">
          <wlevs:event-type-repository>
            <wlevs:event-type type-name="Order"><wlevs:properties>
              <wlevs:property name="id" type="bigint"/><wlevs:property name="shop" type="char"/>
            </wlevs:properties></wlevs:event-type>
            <wlevs:event-type type-name="Total"><wlevs:properties>
              <wlevs:property name="ids" type="bigint"/><wlevs:property name="n" type="bigint"/>
            </wlevs:properties></wlevs:event-type>
          </wlevs:event-type-repository>
          <wlevs:adapter id="orders" provider="jms-inbound">
            <wlevs:listener ref="ordersIn"/>
            <wlevs:instance-property name="maxRetryMillis" value="100"/>
            <wlevs:instance-property name="deadLetterName" value="dead"/>
          </wlevs:adapter>
          <wlevs:channel id="ordersIn" event-type="Order" max-size="1024">
            <wlevs:listener ref="counter"/></wlevs:channel>
          <wlevs:processor id="counter"/>
          <wlevs:channel id="countsOut" event-type="Total" source="counter">
            <wlevs:listener ref="archive"/><wlevs:listener ref="results"/></wlevs:channel>
          <wlevs:adapter id="archive" provider="csv-outbound">
            <wlevs:instance-property name="file" value="var/archive/counts.csv"/>
            <wlevs:instance-property name="exactlyOnce" value="true"/>
          </wlevs:adapter>
          <wlevs:adapter id="results" provider="jms-outbound">
            <wlevs:instance-property name="connectionFactoryClass"
              value="org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory"/>
            <wlevs:instance-property name="brokerUrl" value="BROKER"/>
            <wlevs:instance-property name="destinationName" value="results"/>
            <wlevs:instance-property name="destinationType" value="QUEUE"/>
            <wlevs:instance-property name="maxRetryMillis" value="100"/>
          </wlevs:adapter>
        </beans>""";
    private static final String CONFIGURATION = """
        <wlevs:config xmlns:wlevs="http://www.bea.com/ns/wlevs/config/application">
          <jms-adapter>
            <name>orders</name>
            <jndi-provider-url>BROKER</jndi-provider-url>
            <jndi-factory>org.apache.activemq.artemis.jndi.ActiveMQInitialContextFactory</jndi-factory>
            <connection-jndi-name>ConnectionFactory</connection-jndi-name>
            <destination-jndi-name>dynamicQueues/orders</destination-jndi-name>
            <work-manager>JMSWorkManager</work-manager>
            <session-transacted>true</session-transacted>
          </jms-adapter>
          <processor><name>counter</name><durable>true</durable><rules><query id="count"><![CDATA[IStream(
            select count(distinct id) as ids, count(*) as n from ordersIn)]]></query></rules></processor>
        </wlevs:config>""";

    @TempDir
    private Path directory;

    private Path application(final String url) throws IOException
    {
        return new TestBundle(APPLICATION, ASSEMBLY.replace("BROKER", url))
            .configuration(CONFIGURATION.replace("BROKER", url)).write(directory);
    }

    private static void send(final ConnectionFactory factory, final int round)
    {
        try (JMSContext context = factory.createContext(JMSContext.SESSION_TRANSACTED))
        {
            final JMSProducer producer = context.createProducer();
            final Queue orders = context.createQueue("orders");
            for (int row = 0; row < ROWS_PER_ROUND; row++)
            {
                producer.send(orders, "{\"id\":" + (round * ROWS_PER_ROUND + row) + ",\"shop\":\"S\"}");
            }
            producer.send(orders, "no order");
            context.commit();
        }
    }

    @Test
    void shouldCountEveryMessageOnceWhenTheServerIsKilledAndTheBrokerIsStoppedInTurn() throws Exception
    {
        final Random random = Product.random();
        try (MessageBroker broker = new MessageBroker(directory.resolve("broker"));
            ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(broker.url());
            RunningInstance instance = new RunningInstance(directory.resolve("killed")))
        {
            final Path archive = instance.domain.directory().resolve("var/archive/counts.csv");
            instance.client.install(application(broker.url()));
            instance.awaitState(APPLICATION, "DEGRADED");
            instance.client.install(MessageBroker.clientBundle(directory.resolve("artemis.jar")));
            instance.awaitState(APPLICATION, "RUNNING");
            for (int round = 0; round < ROUNDS; round++)
            {
                send(factory, round);
                final int least = round * ROWS_PER_ROUND + 1 + random.nextInt(ROWS_PER_ROUND / 2);
                Product.await(least + " rows", 120, () -> Product.lines(archive, "\\d+,\\d+").size() >= least);
                instance.kill();
                instance.start();
                instance.awaitState(APPLICATION, "RUNNING");
                final int more = least + random.nextInt(ROWS_PER_ROUND / 4);
                Product.await(more + " rows", 120, () -> Product.lines(archive, "\\d+,\\d+").size() >= more);
                broker.stop();
                instance.awaitState(APPLICATION, "DEGRADED");
                broker.start();
                instance.awaitState(APPLICATION, "RUNNING");
            }
            final String last = ROUNDS * ROWS_PER_ROUND + "," + ROUNDS * ROWS_PER_ROUND;
            Product.await("the last row", 120, () -> Product.lines(archive, "\\d+,\\d+").contains(last));
            Product.await("the messages to be acknowledged", 60, () -> broker.depth("orders") == 0);
            assertThat(Product.lines(archive, "\\d+,\\d+")).endsWith(last)
                .allMatch(line -> Arrays.stream(line.split(",")).distinct()
                .count() == 1);
            assertThat(broker.depth("dead")).isEqualTo(ROUNDS);
            try (JMSContext context = factory.createContext(); JMSConsumer results =
                context.createConsumer(context.createQueue("results")))
            {
                assertThat(results.receiveBody(String.class, 10_000)).contains("\"ids\":", "\"n\":");
            }
        }
    }
}
