package dev.millrace.cql.replay.run;

import dev.millrace.cql.replay.ApplicationFiles;
import dev.millrace.cql.replay.ApplicationPath;
import dev.millrace.embedded.application.ApplicationBuilder;
import dev.millrace.embedded.application.EmbeddedApplication;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.spi.ApplicationRunner;
import java.io.IOException;
import java.util.Properties;

/** Runs applications over files. The command line creates it by its name. Confined to one thread. */
public final class FileApplicationRunner implements ApplicationRunner
{
    @Override
    public Summary run(final Settings settings, final Surroundings surroundings)
        throws DeploymentException, IOException
    {
        final RunClock clock = new RunClock();
        try (ApplicationFiles files = ApplicationPath.open(settings.application(), settings.classPath());
            RowOutputs outputs = new RowOutputs(surroundings.out());
            EmbeddedApplication application = build(files, settings, clock, outputs))
        {
            return new FileRun(settings, surroundings, application, clock, outputs).run();
        }
    }

    private static EmbeddedApplication build(final ApplicationFiles files, final Settings settings,
        final RunClock clock, final RowOutputs outputs) throws IOException, DeploymentException
    {
        final ApplicationBuilder builder =
            new ApplicationBuilder(files.name(), files.assembly(), files.configuration());
        builder.classes(files.classes()).clock(clock).observer(stage -> true, outputs);
        final Properties properties = files.properties();
        properties.stringPropertyNames().forEach(name -> builder.property(name, properties.getProperty(name)));
        settings.properties().forEach(builder::property);
        settings.inputs().forEach(input -> builder.input(input.stage()));
        try
        {
            return builder.build();
        }
        catch (final IllegalArgumentException e)
        {
            throw WrongName.of(e.getMessage(), "an input is the id of a channel or adapter of the assembly file");
        }
    }
}
