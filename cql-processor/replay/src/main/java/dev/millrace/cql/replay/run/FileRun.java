package dev.millrace.cql.replay.run;

import dev.millrace.embedded.application.EmbeddedApplication;
import dev.millrace.embedded.application.RowFeed;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.StageDefinition;
import dev.millrace.network.spi.ApplicationRunner.Connection;
import dev.millrace.network.spi.ApplicationRunner.Settings;
import dev.millrace.network.spi.ApplicationRunner.Summary;
import dev.millrace.network.spi.ApplicationRunner.Surroundings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Connects the inputs and outputs of an application, and sends all rows. Confined to one thread; used once. */
final class FileRun
{
    private final Settings settings;
    private final Surroundings surroundings;
    private final EmbeddedApplication application;
    private final RunClock clock;
    private final RowOutputs outputs;
    private final TimeColumns times;
    private final List<FileInput> inputs = new ArrayList<>();

    FileRun(final Settings settings, final Surroundings surroundings, final EmbeddedApplication application,
        final RunClock clock, final RowOutputs outputs)
    {
        this.settings = settings;
        this.surroundings = surroundings;
        this.application = application;
        this.clock = clock;
        this.outputs = outputs;
        times = new TimeColumns(settings.times(), application.definition());
    }

    Summary run() throws IOException, DeploymentException
    {
        outputs.open(connections(), application.definition(), settings.timeColumn());
        try
        {
            for (final Connection input : settings.inputs())
            {
                inputs.add(open(input));
            }
            times.check(inputs);
            final boolean isVirtual = inputs.stream().allMatch(input -> input.time() != null);
            final InputMerge merge = new InputMerge(application, inputs, idle(), surroundings, outputs);
            if (isVirtual)
            {
                merge.byTime(clock.useRows(), settings.advance());
            }
            else
            {
                merge.byArrival();
            }
            outputs.flush();
            outputs.check();
            return new Summary(merge.rows(), outputs.rows(),
                inputs.stream().mapToLong(FileInput::invalidLines).sum(), rejections(), isVirtual);
        }
        finally
        {
            for (final FileInput input : inputs)
            {
                input.close();
            }
        }
    }

    /** The outputs of the settings; without any, all channels that processors feed. */
    private List<Connection> connections() throws DeploymentException
    {
        final Set<String> known = application.outputs();
        for (final Connection output : settings.outputs())
        {
            if (!known.contains(output.stage()))
            {
                throw WrongName.of("the rows of this stage cannot be written, stage=" + output.stage(),
                    "outputs are " + String.join(", ", known));
            }
        }
        if (!settings.outputs().isEmpty())
        {
            return settings.outputs();
        }
        final List<StageDefinition> stages = application.definition().stages();
        return stages.stream().filter(ProcessorStage.class::isInstance).flatMap(stage -> stage.listeners().stream())
            .distinct().filter(known::contains)
            .map(stage -> new Connection(stage, "-", settings.defaults())).toList();
    }

    private FileInput open(final Connection connection) throws IOException, DeploymentException
    {
        final RowFeed feed;
        try
        {
            feed = application.feed(connection.stage());
        }
        catch (final IllegalArgumentException e)
        {
            throw WrongName.of(e.getMessage(), "");
        }
        final RowTime time = times.of(connection.stage(), feed);
        final InputStream in = connection.isStandard() ? surroundings.in() :
            Files.newInputStream(Path.of(connection.file()));
        return new FileInput(connection, in, surroundings, outputs::flush, feed, time);
    }

    /** Feeds of application time that have no input. */
    private List<RowFeed> idle()
    {
        final Set<String> fed = inputs.stream().map(input -> input.feed().stage()).collect(Collectors.toSet());
        return application.inputs().stream().filter(stage -> !fed.contains(stage)).map(application::feed)
            .filter(feed -> times.property(feed) != null).toList();
    }

    @SuppressWarnings("unchecked")
    private List<String> rejections()
    {
        final List<String> found = new ArrayList<>();
        for (final Map<String, Object> stage : (List<Map<String, Object>>)application.network().statistics()
            .get("stages"))
        {
            if (((Number)stage.get("rowsRejected")).longValue() > 0)
            {
                found.add(stage.get("rowsRejected") + " rows, stage=" + stage.get("id") + " reasons=" +
                    stage.get("rejectedBy"));
            }
        }
        application.network().conditions().forEach(condition -> found.add(condition.stage() + ": " +
            condition.text()));
        return found;
    }
}
