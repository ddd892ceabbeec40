package dev.millrace.command.recovery;

import dev.millrace.command.demo.SampleBundle;
import dev.millrace.command.demo.TickFile;
import dev.millrace.command.instance.Home;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * The application of a variant with its input, the tables of its sinks, and the expected rows.
 *
 * @param application bundle
 * @param data        input of the load generator
 * @param splitColumn column that determines the connection, from 1
 */
record RecoveryWorkload(Path application, Path data, int splitColumn, List<SinkTable> tables, ExpectedRows expected)
{
    private static final String LISTENER = "<wlevs:listener ref=\"outputBean\"/>";
    private static final String END = "</beans>";

    static RecoveryWorkload of(final RecoveryVariant variant, final Home home, final Path directory) throws IOException
    {
        return variant == RecoveryVariant.SIGNAL ? signal(home, directory, variant.connections()) :
            windows(home, directory);
    }

    /** The sample as it is, but durable, with two threads, and with sinks instead of its output bean. */
    private static RecoveryWorkload signal(final Home home, final Path directory, final int connections)
        throws IOException
    {
        final Path application = SampleBundle.copy(home.signalGeneration(), directory.resolve("signals.jar"), Map.of(
            SampleBundle.ASSEMBLY, text -> text
                .replace("id=\"StockTickStream\"", "id=\"StockTickStream\" max-threads=\"2\"")
                .replaceFirst(LISTENER, "<wlevs:listener ref=\"signals\"/>")
                .replaceFirst(LISTENER, "<wlevs:listener ref=\"trends\"/>")
                .replace(END, sink("signals") + sink("trends") + END),
            SampleBundle.RULES, SampleBundle::durable));
        return new RecoveryWorkload(application, home.ticks(), 1,
            List.of(signals("signals", "percLastPrice", SignalRows.SIGNAL),
                signals("trends", "percTrend", SignalRows.TREND)),
            new SignalRows(TickFile.read(home.ticks(), home.signalGeneration()), connections));
    }

    private static SinkTable signals(final String name, final String percent, final String key)
    {
        return new SinkTable(name, "symbol varchar(16), lastPrice double precision, " + percent + " double precision",
            "'" + key + "' || symbol", List.of("lastPrice", percent));
    }

    private static RecoveryWorkload windows(final Home home, final Path directory) throws IOException
    {
        final WindowRows rows = new WindowRows();
        final Path data = rows.write(directory.resolve("rows.csv"));
        final Path application = SampleBundle.copy(home.signalGeneration(), directory.resolve("windows.jar"),
            Map.<String, UnaryOperator<String>>of(
                SampleBundle.ASSEMBLY, old -> text("windows-assembly.xml").replace(END, sink("results") + END),
                SampleBundle.RULES, old -> text("windows-rules.xml")));
        return new RecoveryWorkload(application, data, 2, List.of(new SinkTable("results", "rule varchar(16), " +
            "symbol varchar(16), n bigint, amount double precision, other double precision", "rule || ' ' || symbol",
            List.of("n", "amount", "other"))), rows);
    }

    /** A group for each row of the input; it emits a row when a group is found again. */
    static RecoveryWorkload state(final Home home, final Path directory, final int groups) throws IOException
    {
        final Path data = Files.write(directory.resolve("slots.csv"),
            (Iterable<String>)IntStream.range(0, groups).mapToObj(Integer::toString)::iterator);
        return new RecoveryWorkload(stateApplication(home, directory.resolve("state.jar"), UnaryOperator.identity()),
            data, 1, List.of(new SinkTable("results", "slot bigint, n bigint", '\'' + CountRows.KEY + '\'',
            List.of("slot", "n"))), new CountRows(groups));
    }

    /**
     * Writes the application of {@link #state}.
     *
     * @param change of its rules
     */
    static Path stateApplication(final Home home, final Path target, final UnaryOperator<String> change)
        throws IOException
    {
        return SampleBundle.copy(home.signalGeneration(), target, Map.<String, UnaryOperator<String>>of(
            SampleBundle.ASSEMBLY, old -> text("state-assembly.xml").replace(END, sink("results") + END),
            SampleBundle.RULES, old -> change.apply(text("state-rules.xml"))));
    }

    private static String sink(final String table)
    {
        return "<wlevs:adapter id=\"" + table + "\" provider=\"jdbc\">" + property("dataSource", "sink") +
            property("table", table) + property("positionTable", SinkTable.POSITIONS) + "</wlevs:adapter>";
    }

    private static String property(final String name, final String value)
    {
        return "<wlevs:instance-property name=\"" + name + "\" value=\"" + value + "\"/>";
    }

    private static String text(final String name)
    {
        try (InputStream in = RecoveryWorkload.class.getResourceAsStream(name))
        {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        catch (final IOException e)
        {
            throw new IllegalStateException(name, e);
        }
    }
}
