package dev.millrace.cql.replay;

import dev.millrace.network.definition.BeanStage;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.NetworkDefinition;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.spi.ApplicationValidator;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Validates applications without a server. The command line creates it by its name. */
public final class OfflineValidator implements ApplicationValidator
{
    @Override
    public Validation validate(final Path application) throws DeploymentException
    {
        try
        {
            final ApplicationFiles files = ApplicationPath.open(application, List.of());
            try (OfflineApplication opened = OfflineApplication.open(files, OfflineSettings.DEFAULT))
            {
                final List<Problem> missing = new BeanClassCheck(files).check(opened.context());
                if (!missing.isEmpty())
                {
                    throw new DeploymentException(missing);
                }
                return summary(files.name(), opened);
            }
        }
        catch (final IOException e)
        {
            throw new DeploymentException(List.of(new Problem(ReplayErrorCode.APPLICATION, SourcePosition.NONE,
                "the files of the application cannot be read, path=" + application + " reason=" + e,
                "specify a bundle, or the directory of a project", "")), e);
        }
    }

    private static Validation summary(final String name, final OfflineApplication opened)
    {
        final NetworkDefinition definition = opened.definition();
        int channels = 0;
        int beans = 0;
        int processors = 0;
        int rules = 0;
        for (final Object stage : definition.stages())
        {
            channels += stage instanceof ChannelStage ? 1 : 0;
            beans += stage instanceof BeanStage ? 1 : 0;
            processors += stage instanceof ProcessorStage ? 1 : 0;
            rules += stage instanceof ProcessorStage processor ? processor.rules().size() : 0;
        }
        return new Validation(name, beans, channels, processors, rules, opened.warnings());
    }
}
