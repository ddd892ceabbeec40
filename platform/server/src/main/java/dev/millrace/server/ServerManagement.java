package dev.millrace.server;

import dev.millrace.assembly.RuleFiles;
import dev.millrace.network.Network;
import dev.millrace.network.condition.Condition;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.spi.RuleChange;
import dev.millrace.server.deployment.Deployer;
import dev.millrace.server.deployment.UpdateReport;
import dev.millrace.server.deployment.Application;
import dev.millrace.server.http.Management;
import dev.millrace.server.http.ProblemMaps;
import dev.millrace.server.recording.RecordingManagement;
import dev.millrace.server.recording.RecordingRequest;
import dev.millrace.server.rules.RuleEdit;
import dev.millrace.server.rules.RuleEdits;
import dev.millrace.server.spi.GroupDeployments;
import dev.millrace.server.spi.GroupDeployments.SettingsEdit;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Exposes the instance to the management endpoint as maps of plain values. Thread-safe. */
final class ServerManagement implements Management
{
    private final Deployer deployer;

    private final GroupDeploymentsTracker groups;

    private final RecordingManagement recordings;

    private final Supplier<Map<String, Object>> server;

    private final Runnable shutdown;

    ServerManagement(final Deployer deployer, final GroupDeploymentsTracker groups,
        final RecordingManagement recordings, final Supplier<Map<String, Object>> server, final Runnable shutdown)
    {
        this.recordings = recordings;
        this.deployer = deployer;
        this.groups = groups;
        this.server = server;
        this.shutdown = shutdown;
    }

    @Override
    public GroupDeployments group(final String group) throws DeploymentException
    {
        return groups.existing(group);
    }

    @Override
    public Map<String, Object> server()
    {
        return server.get();
    }

    @Override
    public void shutdown()
    {
        shutdown.run();
    }

    @Override
    public List<Map<String, Object>> applications()
    {
        return deployer.list().stream().map(this::map).toList();
    }

    @Override
    public Map<String, Object> application(final String name) throws NoSuchApplicationException
    {
        return map(existing(name));
    }

    @Override
    public Map<String, Object> statistics(final String name) throws NoSuchApplicationException, DeploymentException
    {
        existing(name);
        return deployer.statistics(name);
    }

    @Override
    public Map<String, Object> install(final InputStream bundle, final String fileName, final long timeoutNs)
        throws IOException, DeploymentException
    {
        return map(deployer.install(bundle, fileName, timeoutNs));
    }

    @Override
    public Map<String, Object> update(
        final String name, final InputStream bundle, final String fileName, final long timeoutNs)
        throws IOException, NoSuchApplicationException, DeploymentException
    {
        existing(name);
        groups.refuseAlone(name);
        return map(deployer.update(name, bundle, fileName, timeoutNs));
    }

    @Override
    public Map<String, Object> uninstall(final String name)
        throws IOException, NoSuchApplicationException, DeploymentException
    {
        existing(name);
        groups.refuseAlone(name);
        return map(deployer.uninstall(name));
    }

    @Override
    public Map<String, Object> suspend(final String name)
        throws IOException, NoSuchApplicationException, DeploymentException
    {
        return setSuspended(name, true);
    }

    @Override
    public Map<String, Object> resume(final String name)
        throws IOException, NoSuchApplicationException, DeploymentException
    {
        return setSuspended(name, false);
    }

    @Override
    public Map<String, Object> restart(final String name)
        throws IOException, NoSuchApplicationException, DeploymentException
    {
        existing(name);
        return map(deployer.restart(name));
    }

    @Override
    public Map<String, Object> configure(final String name, final SettingsEdit edit)
        throws IOException, NoSuchApplicationException, DeploymentException
    {
        existing(name);
        groups.refuseAlone(name);
        return map(deployer.change(name, edit));
    }

    @Override
    public Map<String, Object> rules(final String name, final String processor)
        throws NoSuchApplicationException, DeploymentException
    {
        existing(name);
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("application", name);
        map.put("processor", processor);
        map.put("rules", RuleEdits.maps(deployer.rules(name, processor)));
        return map;
    }

    @Override
    public String ruleFile(final String name, final String processor)
        throws NoSuchApplicationException, DeploymentException
    {
        existing(name);
        return RuleFiles.write(processor, deployer.rules(name, processor));
    }

    @Override
    public Map<String, Object> changeRules(final String name, final String processor, final RuleEdit edit)
        throws NoSuchApplicationException, DeploymentException
    {
        existing(name);
        groups.refuseAlone(name);
        final RuleChange change = deployer.changeRules(name, processor, edit);
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("application", name);
        map.put("processor", processor);
        map.put("queries", queries(change));
        map.put("notes", change.notes());
        map.put("pausedMicros", TimeUnit.NANOSECONDS.toMicros(change.pausedNs()));
        return map;
    }

    private static List<Map<String, String>> queries(final RuleChange change)
    {
        return change.queries().stream().map(query -> Map.of("id", query.id(), "action", query.action().name(),
            "lostState", query.lostState())).toList();
    }

    private static Map<String, Object> map(final UpdateReport update)
    {
        final List<Map<String, Object>> processors = new ArrayList<>();
        update.processors().forEach((id, change) -> processors.add(
            Map.of("processor", id, "queries", queries(change), "notes", change.notes())));
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("processors", processors);
        map.put("notes", update.notes());
        map.put("pausedMicros", TimeUnit.NANOSECONDS.toMicros(update.pausedNs()));
        return map;
    }

    @Override
    public Map<String, Object> recordings(final String name) throws NoSuchApplicationException, DeploymentException
    {
        return recordings.status(name, network(name));
    }

    private Network network(final String name) throws NoSuchApplicationException, DeploymentException
    {
        existing(name);
        return deployer.network(name);
    }

    @Override
    public Map<String, Object> startRecording(final String name, final String stage, final RecordingRequest request)
        throws NoSuchApplicationException, DeploymentException
    {
        recordings.startRecording(network(name), stage, request);
        return recordings(name);
    }

    @Override
    public Map<String, Object> stopRecording(final String name, final String stage)
        throws NoSuchApplicationException, DeploymentException
    {
        recordings.stopRecording(network(name), stage);
        return recordings(name);
    }

    @Override
    public Map<String, Object> startPlayback(final String name, final String stage, final RecordingRequest request)
        throws NoSuchApplicationException, DeploymentException
    {
        recordings.startPlayback(network(name), stage, request);
        return recordings(name);
    }

    @Override
    public Map<String, Object> stopPlayback(final String name, final String stage)
        throws NoSuchApplicationException, DeploymentException
    {
        recordings.stopPlayback(network(name), stage);
        return recordings(name);
    }

    @Override
    public List<Map<String, Object>> datasets() throws DeploymentException
    {
        return recordings.datasets();
    }

    @Override
    public Map<String, Object> deleteDataset(final String dataset) throws DeploymentException
    {
        return recordings.delete(dataset);
    }

    private Map<String, Object> setSuspended(final String name, final boolean suspended)
        throws IOException, NoSuchApplicationException, DeploymentException
    {
        existing(name);
        groups.refuseAlone(name);
        return map(deployer.setSuspended(name, suspended));
    }

    private Application existing(final String name) throws NoSuchApplicationException
    {
        final Application application = deployer.find(name);
        if (application == null)
        {
            throw new NoSuchApplicationException(name, deployer.list().stream().map(Application::name).toList());
        }
        return application;
    }

    private Map<String, Object> map(final Application application)
    {
        final List<Problem> problems = application.status().problems();
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", application.name());
        map.put("version", application.version());
        map.put("state", application.status().state().name());
        map.put("group", groups.of(application.name()).orElse(null));
        map.put("waitingFor", application.status().waitingFor());
        map.put("error", problems.isEmpty() ? null
            : String.join("\n", problems.stream().map(Problem::format).toList()));
        map.put("problems", ProblemMaps.of(problems));
        map.put("causes", application.status().causes().stream().map(Condition::toMap).toList());
        map.put("warnings", ProblemMaps.of(application.status().warnings()));
        if (application.update() != null)
        {
            map.put("update", map(application.update()));
        }
        return map;
    }
}
