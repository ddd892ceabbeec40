package dev.millrace.server.deployment;

import dev.millrace.assembly.ConfigurationResource;
import dev.millrace.assembly.RuleFiles;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.server.rules.RuleEdit;
import dev.millrace.server.spi.ApplicationSettings;
import dev.millrace.server.spi.GroupDeployments.SettingsEdit;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Changes of settings that need only the application's bundle, so that any member can apply them. Stateless. */
public final class SettingsEdits
{
    private static final String CONFIGURATION = "META-INF/wlevs/";

    private SettingsEdits()
    {
    }

    /** @param edit computes the new rules */
    public static SettingsEdit rules(final String processor, final RuleEdit edit)
    {
        return (bundle, before) -> before.withRules(
            processor, RuleFiles.write(processor, edit.apply(rules(bundle, before, processor))));
    }

    /**
     * Replaces a configuration file of the bundle. The processors in it use its rules from now on.
     *
     * @param fileName file name without folder
     */
    public static SettingsEdit configuration(final String fileName, final byte[] content)
    {
        return (bundle, before) ->
        {
            final Set<String> processors = RuleFiles.processors(
                List.of(new ConfigurationResource(fileName, () -> new ByteArrayInputStream(content)))).keySet();
            ApplicationSettings after = before.withConfiguration(fileName, text(fileName, content));
            for (final String processor : processors)
            {
                after = after.withRules(processor, null);
            }
            return after;
        };
    }

    /** Files are stored as strings; a file whose first line declares another encoding is refused when it is read. */
    private static String text(final String fileName, final byte[] content) throws DeploymentException
    {
        try
        {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
        }
        catch (final CharacterCodingException e)
        {
            throw new DeploymentException(List.of(new Problem("SRV-0507", new SourcePosition(fileName, 0, 0),
                "the file is not in UTF-8", "write it in UTF-8", "")), e);
        }
    }

    /**
     * Deletes a changed configuration file, so that the bundle's file applies again.
     *
     * @param fileName file name without folder
     */
    public static SettingsEdit withoutConfiguration(final String fileName)
    {
        return (bundle, before) ->
        {
            if (!before.configuration().containsKey(fileName))
            {
                throw new DeploymentException("SRV-0508", SourcePosition.NONE,
                    "this configuration file was not changed, file=" + fileName,
                    "changed files are " + before.configuration().keySet());
            }
            return before.withConfiguration(fileName, null);
        };
    }

    /** Returns the rules of a processor, with parameters bound, from a bundle and its changed settings. */
    static List<Rule> rules(final Path bundle, final ApplicationSettings settings, final String processor)
        throws IOException, DeploymentException
    {
        final String changed = settings.rules().get(processor);
        if (changed != null)
        {
            return RuleFiles.read(processor, bytes(changed));
        }
        final Map<String, byte[]> files = new TreeMap<>(ApplicationStore.configurationIn(bundle));
        settings.configuration().forEach((name, text) -> files.put(name, text.getBytes(StandardCharsets.UTF_8)));
        final List<ConfigurationResource> resources = new ArrayList<>();
        files.forEach((name, content) -> resources.add(
            new ConfigurationResource(CONFIGURATION + name, () -> new ByteArrayInputStream(content))));
        final Map<String, List<Rule>> processors = RuleFiles.processors(resources);
        final List<Rule> rules = processors.get(processor);
        if (rules == null)
        {
            throw new DeploymentException("EPN-0522", SourcePosition.NONE, "no such processor, id=" + processor,
                "processors with rules: " + processors.keySet());
        }
        return rules;
    }

    private static ByteArrayInputStream bytes(final String text)
    {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }
}
