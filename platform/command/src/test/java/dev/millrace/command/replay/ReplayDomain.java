package dev.millrace.command.replay;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.command.Main;
import dev.millrace.journal.Journal;
import dev.millrace.journal.JournalSettings;
import dev.millrace.journal.Journals;
import dev.millrace.network.durable.GroupDescription;
import dev.millrace.network.durable.RecordKind;
import dev.millrace.network.partition.RowEncoder;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/**
 * A domain with an application whose processor is durable, and with journals as the processor writes them; replays use
 * the real engine until it is closed.
 */
final class ReplayDomain implements AutoCloseable
{
    private static final String ENGINE = "millrace.replay";
    static final String UNIT = "worker-0-of-1";
    static final long SECOND_NS = 1_000_000_000;

    /** Its beans have classes that do not exist, and no server has its adapter: nothing may create them. */
    private static final String ASSEMBLY = """
        <beans xmlns="http://www.springframework.org/schema/beans" xmlns:wlevs="http://www.bea.com/ns/wlevs/spring"
            xmlns:osgi="http://www.springframework.org/schema/osgi">
          <osgi:reference id="service" interface="none.such.Service"/>
          <wlevs:event-type-repository>
            <wlevs:event-type type-name="Order"><wlevs:properties>
              <wlevs:property name="shop" type="char" length="32"/>
              <wlevs:property name="quantity" type="int"/>
              <wlevs:property name="price" type="double"/>
            </wlevs:properties></wlevs:event-type>
            <wlevs:event-type type-name="Shop"><wlevs:properties>
              <wlevs:property name="id" type="char" length="32"/>
              <wlevs:property name="town" type="char" length="32"/>
            </wlevs:properties></wlevs:event-type>
          </wlevs:event-type-repository>
          <wlevs:caching-system id="caches"/>
          <wlevs:cache id="Shops" value-type="Shop" key-properties="id"><wlevs:caching-system ref="caches"/>
            <wlevs:cache-loader ref="loader"/></wlevs:cache>
          <bean id="loader" class="none.such.Loader"/>
          <wlevs:table id="Areas" event-type="Shop" data-source="none" table-name="TOWNS"/>
          <wlevs:adapter id="feed" provider="none"><wlevs:listener ref="Orders"/><wlevs:listener ref="Returns"/>
          </wlevs:adapter>
          <wlevs:channel id="Orders" event-type="Order"><wlevs:listener ref="orders"/></wlevs:channel>
          <wlevs:channel id="Returns" event-type="Order"><wlevs:listener ref="orders"/></wlevs:channel>
          <wlevs:processor id="orders"><wlevs:cache-source ref="Shops"/><wlevs:table-source ref="Areas"/>
            <wlevs:listener ref="results"/>
            <wlevs:function function-name="root" exec-method="sqrt" class="java.lang.Math"/>
          </wlevs:processor>
          <wlevs:channel id="results" event-type="Order"><wlevs:listener ref="sink"/></wlevs:channel>
          <bean id="sink" class="none.such.Sink"/>
        </beans>
        """;

    private final Path directory;
    private final BatchSchema orders = new BatchSchema(EventType.tuple("Order",
        new EventProperty("shop", CqlType.CHAR), new EventProperty("quantity", CqlType.INT),
        new EventProperty("price", CqlType.DOUBLE)));
    private final BatchSchema shops = new BatchSchema(EventType.tuple("Shop", new EventProperty("id", CqlType.CHAR),
        new EventProperty("town", CqlType.CHAR)));

    /** An order at a time in seconds. */
    record Order(double second, String shop, int quantity, double price)
    {
    }

    ReplayDomain(final Path directory) throws IOException
    {
        this.directory = directory;
        System.setProperty(ENGINE, "dev.millrace.cql.replay.ApplicationReplayEngine");
        Files.createDirectories(directory.resolve("config"));
        Files.writeString(directory.resolve("startwlevs.sh"), "#!/bin/sh\n");
        Files.writeString(directory.resolve("config/config.xml"), "<config/>\n");
    }

    Path directory()
    {
        return directory;
    }

    /** Runs the command, and returns its exit code. */
    int replay(final StringWriter out, final StringWriter err, final String... arguments)
    {
        final List<String> line = new ArrayList<>(List.of("replay", "--domain", directory.toString()));
        line.addAll(List.of(arguments));
        return Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err))
            .execute(line.toArray(String[]::new));
    }

    @Override
    public void close()
    {
        System.clearProperty(ENGINE);
    }

    Path state(final String unit)
    {
        return directory.resolve("var/state/shop/orders").resolve(unit);
    }

    /** A component configuration file with a durable processor. */
    static String configuration(final String rules)
    {
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <n1:config xmlns:n1="http://www.bea.com/ns/wlevs/config/application">
              <processor><name>orders</name><durable>true</durable><rules>
            %s
              </rules></processor>
            </n1:config>
            """.formatted(rules);
    }

    /** Deploys an application with rules; those in its bundle are out of date. */
    void deploy(final String rules) throws IOException
    {
        final Path folder = directory.resolve("applications/shop");
        Files.createDirectories(folder.resolve("META-INF/wlevs"));
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(folder.resolve("shop.jar"))))
        {
            write(jar, "META-INF/spring/shop.xml", ASSEMBLY);
            write(jar, "META-INF/wlevs/shop.xml", configuration("<query id=\"old\">no CQL</query>"));
        }
        Files.writeString(folder.resolve("META-INF/wlevs/shop.xml"), configuration(rules));
    }

    private static void write(final JarOutputStream jar, final String name, final String text) throws IOException
    {
        jar.putNextEntry(new JarEntry(name));
        jar.write(text.getBytes(StandardCharsets.UTF_8));
        jar.closeEntry();
    }

    /** A journal that is being written. */
    final class Writer implements AutoCloseable
    {
        private final Journal journal;
        private final List<String> groups = new ArrayList<>();
        private final List<IntPredicate> columns = new ArrayList<>();

        /** @param described names of groups; one that begins with {@code -} lacks the price */
        Writer(final String unit, final String... described)
        {
            journal = Journals.open(JournalSettings.of(state(unit), "shop/orders/" + unit)
                .withSpace(1 << 20, 1L << 30, 0), System::currentTimeMillis);
            for (final String group : described)
            {
                groups.add(group.replaceFirst("^-", ""));
                columns.add(group.startsWith("-") ? column -> column < 2 : column -> true);
            }
            journal.onFileStart(this::describe);
        }

        private void describe()
        {
            for (int i = 0; i < groups.size(); i++)
            {
                append(record(RecordKind.GROUP, i).put(GroupDescription.of(groups.get(i), schema(i),
                    columns.get(i)).text().getBytes(StandardCharsets.UTF_8)));
            }
        }

        private BatchSchema schema(final int group)
        {
            return groups.get(group).contains(" cache ") ? shops : orders;
        }

        private ByteBuffer record(final byte kind, final int number)
        {
            return ByteBuffer.allocate(1 << 14).order(ByteOrder.LITTLE_ENDIAN).put(kind).putInt(number);
        }

        private void append(final ByteBuffer record)
        {
            journal.append(record.array(), 0, record.position());
        }

        /** Appends one batch. */
        Writer orders(final int group, final Order... rows)
        {
            final EventBatch batch = new EventBatch(orders);
            for (int row = 0; row < rows.length; row++)
            {
                batch.texts(0).set(row, rows[row].shop());
                batch.ints(1)[row] = rows[row].quantity();
                batch.doubles(2)[row] = rows[row].price();
                batch.useTimestampPerRow()[row] = ns(rows[row].second());
            }
            batch.size(rows.length);
            append(RowEncoder.forJournal(orders, columns.get(group)).encode(batch, record(RecordKind.ROWS, group)));
            return this;
        }

        Writer time(final int group, final double second)
        {
            append(record(RecordKind.TIME, group).putLong(ns(second)));
            return this;
        }

        /** Appends a change of the cache. */
        Writer shop(final int group, final String id, final String town)
        {
            final EventBatch batch = new EventBatch(shops);
            batch.texts(0).set(0, id);
            batch.texts(1).set(0, town);
            batch.useKinds()[0] = EventBatch.UPDATE;
            batch.size(1);
            append(RowEncoder.forJournal(shops, column -> true).encode(batch, record(RecordKind.ROWS, group)));
            return this;
        }

        Writer clear(final int group)
        {
            append(record(RecordKind.CLEAR, group));
            return this;
        }

        /** As after two snapshots. */
        void deleteAllButTheNewestFile()
        {
            journal.deleteBefore(journal.lastPosition());
        }

        private static long ns(final double second)
        {
            return Math.round(second * SECOND_NS);
        }

        @Override
        public void close()
        {
            journal.close();
        }
    }
}
