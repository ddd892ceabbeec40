package dev.millrace.distribution;

import static dev.millrace.distribution.Product.APPLICATION;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.millrace.command.cli.CommandException;
import dev.millrace.distribution.Product.Result;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Records the ticks of the sample application and plays them back with the commands, as a user does. */
@Timeout(300)
class RecordingIT
{
    static final String PARAMETERS = """
        <adapter><name>loadgenAdapter</name>
          <record-parameters><dataset-name>ticks</dataset-name></record-parameters></adapter>
        <channel><name>StockTickStream</name>
          <playback-parameters><dataset-name>ticks</dataset-name></playback-parameters></channel>
        """;

    @TempDir
    private Path directory;

    private RunningInstance instance;

    private Result millrace(final String... arguments) throws IOException, InterruptedException
    {
        final List<String> command = new ArrayList<>(List.of(arguments));
        command.addAll(List.of("--domain", instance.domain.directory().toString()));
        return Product.millrace(command.toArray(new String[0]));
    }

    private Result done(final String... arguments) throws IOException, InterruptedException
    {
        final Result result = millrace(arguments);
        assertThat(result.exitCode()).as(result.output()).isZero();
        return result;
    }

    private void refused(final String text, final String... arguments) throws IOException, InterruptedException
    {
        final Result result = millrace(arguments);
        assertThat(result.exitCode()).as(result.output()).isNotZero();
        assertThat(result.output()).contains(text).contains("hint: ").doesNotContain("Exception");
    }

    private long figure(final String stage, final String name)
    {
        try
        {
            return StreamSupport.stream(
                instance.client.statistics(APPLICATION).getAsJsonArray("stages").spliterator(), false)
                .map(each -> each.getAsJsonObject()).filter(each -> each.get("id").getAsString().equals(stage))
                .findFirst().orElseThrow().get(name).getAsLong();
        }
        catch (final InterruptedException | CommandException e)
        {
            return -1;
        }
    }

    private JsonObject only(final String... arguments) throws IOException, InterruptedException
    {
        final JsonArray array = JsonParser.parseString(done(arguments).output()).getAsJsonArray();
        assertThat(array).hasSize(1);
        return array.get(0).getAsJsonObject();
    }

    private String playbackState()
    {
        try
        {
            return only("playback", "status", "-A", APPLICATION, "--format", "json").get("state").getAsString();
        }
        catch (final IOException | InterruptedException e)
        {
            throw new AssertionError(e);
        }
    }

    private void send(final String ticks) throws IOException
    {
        try (Socket sender = new Socket(InetAddress.getLoopbackAddress(), instance.ports.loadgen()))
        {
            sender.getOutputStream().write(ticks.getBytes(StandardCharsets.US_ASCII));
        }
    }

    private static String monitored() throws IOException
    {
        try (ZipFile bundle = new ZipFile(Product.HOME.signalGeneration().toFile());
            InputStream symbols = bundle.getInputStream(bundle.getEntry(Product.SYMBOLS)))
        {
            return new String(symbols.readAllBytes(), StandardCharsets.UTF_8).lines()
                .filter(line -> line.matches("[A-Z]+")).findFirst().orElseThrow();
        }
    }

    @Test
    void shouldFindTheSameSignalsInRecordedTicks() throws Exception
    {
        final String application = Product.changed(directory.resolve("application.jar"), Product.RULES,
            text -> text.replace("</wlevs:config>", PARAMETERS + "</wlevs:config>")).toString();
        instance = new RunningInstance(directory.resolve("recording"));
        try
        {
            refused("EPN-0524", "app", "install", application);
            refused("EPN-0524", "events", "list");
            instance.process.close();
            final Path file = instance.domain.directory().resolve("config/config.xml");
            final String configuration = Files.readString(file);
            Files.writeString(file, configuration.substring(0, configuration.lastIndexOf("</")) +
                "<event-store><name>events</name><max-size>100m</max-size><min-free-space>1m</min-free-space>" +
                "</event-store>\n" + configuration.substring(configuration.lastIndexOf("</")));
            instance.start();
            recordAndPlayBack(application);
        }
        finally
        {
            instance.close();
        }
    }

    private void recordAndPlayBack(final String application) throws Exception
    {
        done("app", "install", application);
        assertThat(done("events", "list").output()).contains("no datasets");
        assertThat(only("record", "status", "-A", APPLICATION, "--format", "json").get("state").getAsString())
            .isEqualTo("IDLE");
        refused("EPN-0526", "playback", "start", "-A", APPLICATION, "-S", "StockTickStream");
        done("record", "start", "-A", APPLICATION, "-S", "loadgenAdapter");
        done("record", "start", "-A", APPLICATION, "-S", "PercentTickStream", "--dataset", "signals");
        refused("EPN-0525", "record", "start", "-A", APPLICATION, "-S", "loadgenAdapter");
        final String symbol = monitored();
        send(symbol + ",100\n" + symbol + ",103\n" + symbol + ",103.5\n" + symbol + ",99\n" + symbol + ",102\n");
        Product.await("three signals", 60, () -> figure("PercentTickStream", "rowsOut") == 3);
        final JsonObject recording = only("record", "stop", "-A", APPLICATION, "-S", "loadgenAdapter", "--format",
            "json");
        assertThat(recording.get("state").getAsString()).isEqualTo("STOPPED");
        assertThat(recording.get("rows").getAsLong()).isEqualTo(5);
        refused("JNL-0001", "events", "delete", "signals");
        assertThat(done("events", "list").output()).containsPattern("signals +3 .* yes +PercentTick")
            .containsPattern("ticks +5 .* no +StockTick");

        done("app", "restart", APPLICATION);
        done("record", "start", "-A", APPLICATION, "-S", "PercentTickStream", "--dataset", "again");
        done("record", "start", "-A", APPLICATION, "-S", "processor1", "--dataset", "results");
        final Path rules = directory.resolve("rules.xml");
        done("rules", "download", "-A", APPLICATION, "-P", "processor1", rules.toString());
        Files.writeString(rules, Files.readString(rules).replace("-2.0", "-2.5"));
        assertThat(done("rules", "upload", "-A", APPLICATION, "-P", "processor1", rules.toString()).output())
            .contains("restarted");
        assertThat(done("playback", "start", "-A", APPLICATION, "-S", "StockTickStream", "--speed", "1000000")
            .output()).contains("StockTickStream", "ticks");
        Product.await("end of playback", 60, () -> playbackState().equals("FINISHED"));
        Product.await("three signals", 60, () -> figure("PercentTickStream", "rowsOut") == 3);
        assertThat(figure("loadgenAdapter", "rowsOut")).isZero();
        done("record", "stop", "-A", APPLICATION, "-S", "PercentTickStream");
        done("record", "stop", "-A", APPLICATION, "-S", "processor1");
        assertThat(done("events", "list").output()).containsPattern("again +3 .* no +PercentTick")
            .containsPattern("results +3 .* no +PercentTick");
        assertThat(done("journal", "show", "dataset:results").output()).contains("\"PercentTick query=perc\"",
            "symbol=" + monitored() + " lastPrice=103.0");

        done("playback", "start", "-A", APPLICATION, "-S", "StockTickStream", "--repeat");
        done("playback", "stop", "-A", APPLICATION, "-S", "StockTickStream");
        refused("SRV-0511", "playback", "start", "-A", APPLICATION, "-S", "StockTickStream", "--from", "monday");
        done("events", "delete", "again");
        refused("SRV-0510", "events", "delete", "again");
        assertThat(Files.readString(instance.domain.directory().resolve("logs/audit.log")))
            .contains("record.start", "record.stop", "playback.start", "playback.stop", "events.delete");
    }
}
