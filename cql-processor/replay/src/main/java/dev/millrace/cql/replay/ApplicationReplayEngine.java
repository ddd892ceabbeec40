package dev.millrace.cql.replay;

import dev.millrace.assembly.RuleFiles;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.durable.ReplayEngine;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Plans the rules of applications of a domain for replays. The command line creates it by its name. */
public final class ApplicationReplayEngine implements ReplayEngine
{
    @Override
    public Rules plan(final Path domain, final String application, final String processor, final Path changed)
        throws DeploymentException
    {
        final OfflineApplication offline = OfflineApplication.open(domain, application);
        boolean isPlanned = false;
        try
        {
            final ProcessorStage current = offline.processor(processor);
            final Rules rules;
            if (changed == null)
            {
                rules = new PlannedReplay(offline, current, current.rules(), problem -> problem);
            }
            else
            {
                final byte[] content = content(changed);
                final String file = changed.getFileName().toString();
                final List<Rule> replaced = RuleFiles.read(file, new ByteArrayInputStream(content));
                rules = new PlannedReplay(offline, current.withRules(replaced), current.rules(),
                    RuleFiles.excerpts(file, new ByteArrayInputStream(content)));
            }
            isPlanned = true;
            return rules;
        }
        finally
        {
            if (!isPlanned)
            {
                offline.close();
            }
        }
    }

    private static byte[] content(final Path file) throws DeploymentException
    {
        try
        {
            return Files.readAllBytes(file);
        }
        catch (final IOException e)
        {
            throw new DeploymentException(List.of(new DeploymentException.Problem(ReplayErrorCode.RULES_FILE,
                SourcePosition.NONE, "the file of rules cannot be read, file=" + file + " reason=" + e,
                "name a component configuration file with the processor, such as one of META-INF/wlevs", "")), e);
        }
    }
}
