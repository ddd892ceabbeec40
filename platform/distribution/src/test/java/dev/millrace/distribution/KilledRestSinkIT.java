package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.command.instance.FreePorts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server that sends the rows of a durable processor as XML to another one, while both are killed in turn: the other
 * one receives each row at least once. {@code -Dmillrace.kills=20} kills them more often.
 */
@Timeout(600)
class KilledRestSinkIT
{
    private static final int KILLS = Integer.getInteger("millrace.kills", 2);
    private static final int REQUESTS_PER_KILL = 150;
    private static final int ROWS_PER_REQUEST = 100;
    private static final String NAME = "com.example.orders";
    private static final String ASSEMBLY = """
        <beans xmlns="http://www.springframework.org/schema/beans" xmlns:wlevs="http://www.bea.com/ns/wlevs/spring">
          <wlevs:event-type-repository>
            <wlevs:event-type type-name="Order"><wlevs:properties>
              <wlevs:property name="id" type="bigint"/><wlevs:property name="shop" type="char"/>
            </wlevs:properties></wlevs:event-type>
          </wlevs:event-type-repository>
          <bean id="orderMapper" class="dev.millrace.adapter.http.api.EventMapper" factory-method="create"/>
          <wlevs:adapter id="orders" provider="rest-inbound">
            <wlevs:listener ref="ordersIn"/>
            <wlevs:instance-property name="contextPath" value="/orders"/>
            SOURCE
          </wlevs:adapter>
          <wlevs:channel id="ordersIn" event-type="Order"><wlevs:listener ref="all"/></wlevs:channel>
          <wlevs:processor id="all"/>
          <wlevs:channel id="ordersOut" event-type="Order" source="all"><wlevs:listener ref="out"/></wlevs:channel>
          SINK
        </beans>""";
    private static final String MAPPER = "<wlevs:instance-property name=\"jaxbMapper\" ref=\"orderMapper\"/>";
    private static final String CONFIGURATION =
        "<wlevs:config xmlns:wlevs=\"http://www.bea.com/ns/wlevs/config/application\"><processor>" +
        "<name>all</name><durable>true</durable><rules><query id=\"all\"><![CDATA[select id, shop from ordersIn]]>" +
        "</query></rules></processor><jaxb-mapper><name>orderMapper</name><event-type-name>Order</event-type-name>" +
        "</jaxb-mapper></wlevs:config>";

    @TempDir
    private Path directory;

    private static void install(final RunningInstance instance, final Path directory, final String source,
        final String sink) throws IOException, InterruptedException
    {
        instance.client.install(new TestBundle(NAME, ASSEMBLY.replace("SOURCE", source).replace("SINK", sink))
            .header("Import-Package", "dev.millrace.adapter.http.api").configuration(CONFIGURATION).write(directory));
    }

    private static String property(final String name, final String value)
    {
        return "<wlevs:instance-property name=\"" + name + "\" value=\"" + value + "\"/>";
    }

    private static List<String> received(final Path archive)
    {
        return Product.lines(archive, "\\d+,S\\d+");
    }

    @Test
    void shouldDeliverEveryRowAtLeastOnceWhenSenderAndReceiverAreKilledInTurn() throws Exception
    {
        final Random random = Product.random();
        final int requests = (2 * KILLS + 1) * REQUESTS_PER_KILL;
        final int rows = requests * ROWS_PER_REQUEST;
        final int port = FreePorts.range(1);
        final int receiverPort = FreePorts.range(1);
        try (RunningInstance sender = new RunningInstance(directory.resolve("sender"), PostingClient.events(port));
            RunningInstance receiver =
                new RunningInstance(directory.resolve("receiver"), PostingClient.events(receiverPort)))
        {
            install(receiver, directory, MAPPER, "<wlevs:adapter id=\"out\" provider=\"csv-outbound\">" +
                property("file", "var/archive/orders.csv") + property("exactlyOnce", "true") + "</wlevs:adapter>");
            install(sender, directory, "", "<wlevs:adapter id=\"out\" provider=\"rest-outbound\">" + MAPPER +
                property("url", "http://127.0.0.1:" + receiverPort + "/orders") + property("batchRows", "50") +
                property("maxRetryMillis", "500") + "</wlevs:adapter>");
            final Path archive = receiver.domain.directory().resolve("var/archive/orders.csv");
            final PostingClient client = new PostingClient(port, requests, ROWS_PER_REQUEST);
            final Thread thread = new Thread(client, "client");
            thread.setDaemon(true);
            thread.start();
            for (int kill = 0; kill < 2 * KILLS; kill++)
            {
                final int request = kill * REQUESTS_PER_KILL + 1 + random.nextInt(REQUESTS_PER_KILL);
                Product.await("request " + request, 120, () -> client.confirmed.get() >= request);
                final RunningInstance killed = kill % 2 == 0 ? receiver : sender;
                killed.kill();
                assertThat(received(archive)).hasSizeLessThan(rows);
                killed.start();
            }
            thread.join(TimeUnit.SECONDS.toMillis(240));
            assertThat(client.confirmed.get()).isEqualTo(requests);
            final TreeSet<Integer> missing = new TreeSet<>();
            Product.await("the last row", 120, () -> received(archive).stream()
                .anyMatch(line -> line.startsWith(rows + ",")));
            IntStream.rangeClosed(1, rows).forEach(missing::add);
            received(archive).forEach(line -> missing.remove(Integer.valueOf(line.substring(0, line.indexOf(',')))));
            assertThat(missing).isEmpty();
            System.out.println("rows=" + rows + " received=" + received(archive).size());
        }
    }
}
