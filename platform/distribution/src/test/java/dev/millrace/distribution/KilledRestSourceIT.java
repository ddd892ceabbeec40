package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.command.instance.FreePorts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server that is killed while a client posts events and repeats requests that were not confirmed: the durable
 * processor counts each row once. {@code -Dmillrace.kills=20} kills it more often.
 */
@Timeout(600)
class KilledRestSourceIT
{
    private static final String APPLICATION = "com.example.rest";
    private static final int KILLS = Integer.getInteger("millrace.kills", 2);
    private static final int REQUESTS_PER_KILL = 400;
    private static final int ROWS_PER_REQUEST = 300;
    private static final String ASSEMBLY = """
        <beans xmlns="http://www.springframework.org/schema/beans" xmlns:wlevs="http://www.bea.com/ns/wlevs/spring">
          <wlevs:event-type-repository>
            <wlevs:event-type type-name="Order"><wlevs:properties>
              <wlevs:property name="id" type="bigint"/><wlevs:property name="shop" type="char"/>
            </wlevs:properties></wlevs:event-type>
            <wlevs:event-type type-name="Total"><wlevs:properties>
              <wlevs:property name="id" type="bigint"/><wlevs:property name="n" type="bigint"/>
            </wlevs:properties></wlevs:event-type>
          </wlevs:event-type-repository>
          <wlevs:adapter id="orders" provider="rest-inbound">
            <wlevs:listener ref="ordersIn"/>
            <wlevs:instance-property name="contextPath" value="/orders"/>
          </wlevs:adapter>
          <wlevs:channel id="ordersIn" event-type="Order"><wlevs:listener ref="counter"/></wlevs:channel>
          <wlevs:processor id="counter"/>
          <wlevs:channel id="countsOut" event-type="Total" source="counter">
            <wlevs:listener ref="archive"/></wlevs:channel>
          <wlevs:adapter id="archive" provider="csv-outbound">
            <wlevs:instance-property name="file" value="var/archive/counts.csv"/>
            <wlevs:instance-property name="exactlyOnce" value="true"/>
          </wlevs:adapter>
        </beans>""";
    /** Counts all rows: n is the number of the row if each was received once. */
    private static final String RULES =
        "<wlevs:config xmlns:wlevs=\"http://www.bea.com/ns/wlevs/config/application\"><processor>" +
        "<name>counter</name><durable>true</durable><rules><query id=\"count\"><![CDATA[IStream(" +
        "select max(id) as id, count(*) as n from ordersIn)]]></query></rules></processor></wlevs:config>";

    @TempDir
    private Path directory;

    private Path application() throws IOException
    {
        return new TestBundle(APPLICATION, ASSEMBLY).configuration(RULES).write(directory);
    }

    @Test
    void shouldCountEveryPostedRowOnceWhenTheServerIsKilledAgainAndAgain() throws Exception
    {
        final Random random = Product.random();
        final int port = FreePorts.range(1);
        final int requests = (KILLS + 1) * REQUESTS_PER_KILL;
        try (RunningInstance instance = new RunningInstance(directory.resolve("killed"),
            PostingClient.events(port)))
        {
            instance.client.install(application());
            final Path archive = instance.domain.directory().resolve("var/archive/counts.csv");
            final PostingClient client = new PostingClient(port, requests, ROWS_PER_REQUEST);
            final Thread thread = new Thread(client, "client");
            thread.setDaemon(true);
            thread.start();
            for (int kill = 0; kill < KILLS; kill++)
            {
                final int request = kill * REQUESTS_PER_KILL + 1 + random.nextInt(REQUESTS_PER_KILL);
                Product.await("request " + request, 60, () -> client.confirmed.get() >= request);
                instance.kill();
                instance.start();
            }
            thread.join(TimeUnit.SECONDS.toMillis(180));
            assertThat(client.confirmed.get()).isEqualTo(requests);
            assertThat(client.failed.get()).isPositive();
            final int rows = requests * ROWS_PER_REQUEST;
            // The count of no rows is the first result.
            Product.await("the last row", 60, () -> Product.lines(archive, "\\d*,\\d+").size() >= rows + 1);
            assertThat(Product.lines(archive, "\\d*,\\d+")).isEqualTo(Stream.concat(Stream.of(",0"),
                IntStream.rangeClosed(1, rows).mapToObj(row -> row + "," + row)).toList());
        }
    }
}
