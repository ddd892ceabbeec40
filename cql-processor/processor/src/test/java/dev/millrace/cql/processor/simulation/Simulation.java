package dev.millrace.cql.processor.simulation;

import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.journal.JournalException;
import dev.millrace.network.definition.DeploymentException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * A durable processor between sources that send again what is not stored, and a receiver that stores the numbers of
 * rows, on a simulated machine: everything that happens, and when, is determined by a seed. Confined to one thread.
 */
final class Simulation
{
    private static final int MOST_CRASHES = 8;
    private static final int MOST_WAITS = 300;
    private static final int MOST_ACTIONS = 10_000;
    private static final int TRACE_LINES = 100;
    private static final int STACK_FRAMES = 15;

    private final Random random;
    private final Profile profile;
    private final Script script;
    private final Sources sources;
    private final SimulatedHost host;
    private final SimulatedDisk disk;
    private final SimulatedStorage storage;
    private final SimulatedReceiver receiver;
    private final List<String> trace = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final Map<String, List<Expectation.PowerLoss>> losses = new HashMap<>();
    private final Set<String> damaged = new HashSet<>();
    /** The last row of each producer that the process has acknowledged. */
    private final Map<String, Long> acknowledged = new HashMap<>();
    /** The row of each producer after which its source sends again. */
    private final Map<String, Long> sentAgain = new HashMap<>();
    private final Map<String, String> names = new HashMap<>();
    /** For each row of S the name that the cache had when it was sent last and had not been stored. */
    private final Map<Integer, String> found = new HashMap<>();
    private SimulatedProcess process;
    private int crashes;
    private int waits;
    /** The older snapshot cannot be used any more, because there was no space for its records. */
    private boolean hasGivenUpRecords;
    private boolean isWaiting;
    /** The process stops while a thread of it waits for space, and rejects the rows of that thread. */
    private boolean isStopping;
    private boolean isEnding;

    Simulation(final long seed, final Flaw flaw)
    {
        random = new Random(seed);
        profile = Profile.of(random);
        script = new Script(random, profile.rows(), profile.isReordered());
        sources = new Sources(script, profile.isReordered(), random);
        host = new SimulatedHost(random);
        disk = new SimulatedDisk(host);
        receiver = new SimulatedReceiver(host, flaw);
        storage = new SimulatedStorage(disk, flaw, receiver::synced);
    }

    /**
     * Runs the simulation.
     *
     * @return the first problem, with what has happened; {@code null} if there is none
     */
    String run() throws Exception
    {
        try
        {
            for (int actions = 0; problems.isEmpty() && !(isUp() && sources.isDone()); actions++)
            {
                isEnding = crashes >= MOST_CRASHES || actions > MOST_ACTIONS / 2;
                act();
                if (actions > MOST_ACTIONS)
                {
                    problems.add("not all rows were sent after " + actions + " actions");
                }
            }
            if (problems.isEmpty())
            {
                end();
            }
            if (problems.isEmpty())
            {
                compare();
            }
        }
        catch (final RuntimeException | AssertionError failure)
        {
            problems.add(text(failure));
        }
        problems.addAll(receiver.problems());
        return problems.isEmpty() ? null : problems.get(0) + "\n  " + profile + "\n  " + String.join("\n  ",
            trace.subList(Math.max(0, trace.size() - TRACE_LINES), trace.size()));
    }

    private static String text(final Throwable failure)
    {
        final StringBuilder text = new StringBuilder();
        for (Throwable cause = failure; cause != null; cause = cause.getCause())
        {
            text.append(cause).append('\n');
            Arrays.stream(cause.getStackTrace()).filter(frame -> frame.getClassName().startsWith("dev.millrace"))
                .limit(STACK_FRAMES).forEach(frame -> text.append("    at ").append(frame).append('\n'));
        }
        return text.toString();
    }

    private boolean isUp()
    {
        return process != null && !host.isDown();
    }

    private void act()
    {
        try
        {
            if (isUp())
            {
                step();
            }
            else
            {
                start();
            }
        }
        catch (final Crash end)
        {
            // The next action starts a process.
        }
        if (host.isDown())
        {
            crash();
        }
    }

    private void trace(final String event)
    {
        trace.add(host.nowNs() / 1000 + " " + event);
    }

    private void start()
    {
        disk.isFull(false);
        final boolean isFollowed = random.nextInt(3) == 0;
        storage.open(profile.settings(isFollowed));
        trace("start process=" + host.process() + (isFollowed ? " standby" : ""));
        final boolean isUnavailable = !isEnding && random.nextInt(20) == 0;
        receiver.isUnavailable(isUnavailable);
        if (!isEnding && random.nextInt(4) == 0)
        {
            host.crashAfter(random.nextInt(30));
        }
        final SimulatedProcess started = new SimulatedProcess(profile.rules());
        names.clear();
        try
        {
            started.start(new SimulatedProcess.Environment(host, profile.workers(), profile.isOneThread(), storage,
                receiver::open, this::waitForSpace, this::reject));
            process = started;
            connect();
            host.crashAfter(-1);
        }
        catch (final DeploymentException | IllegalStateException refused)
        {
            if (!isUnavailable && !host.isDown())
            {
                throw new IllegalStateException(refused);
            }
            trace("refused, because the receiver is unavailable");
            receiver.isUnavailable(false);
            host.restart();
        }
    }

    private void reject(final String what)
    {
        if (!host.isDown() && !isStopping)
        {
            problems.add("rejected " + what);
        }
    }

    /** The sources ask for the rows that are stored, and continue after them, or send some again. */
    private void connect()
    {
        final Map<String, Long> from = new HashMap<>();
        for (final String channel : SimulatedProcess.CHANNELS)
        {
            for (int producer = 0; producer < Script.PRODUCERS; producer++)
            {
                final String name = Item.producerName(channel, producer);
                final long stored = process.receivedFrom(channel, name);
                sentAgain.put(name, stored);
                final long first = random.nextInt(3) == 0 ? stored - random.nextInt(5) : stored;
                from.put(name, Math.max(first, profile.forgetsRows() ? acknowledged.getOrDefault(name, 0L) : 0));
            }
        }
        sources.connect(sentAgain, from);
        trace("connect " + sentAgain + " from=" + from);
    }

    private void step()
    {
        if (!isEnding && random.nextInt(25) == 0)
        {
            host.crashAfter(random.nextInt(40));
        }
        switch (random.nextInt(isEnding ? 10 : 20))
        {
            case 0, 1, 2, 3, 4, 5, 6 -> send();
            case 7 -> receiver.commit();
            case 8 -> snapshot();
            case 9 -> pass();
            case 10 -> acknowledge();
            case 11 -> connect();
            case 12 -> disturbDisk();
            case 13 -> stopAndDamage();
            case 14 -> change();
            default -> send();
        }
    }

    private void send()
    {
        final List<Item> batch = sources.next();
        if (!batch.isEmpty())
        {
            batch.stream().filter(each -> !each.isHeartbeat() && each.number() > sentAgain.get(each.producerName()))
                .forEach(each -> found.put(each.q(), names.get(each.symbol())));
            trace("send " + batch.get(0).channel() + ' ' + batch.stream().map(each -> each.isHeartbeat() ? "time" :
                each.producer() + "#" + each.number()).toList() + '@' +
                batch.get(0).timeNs() / Script.MILLISECOND);
            process.send(batch);
            if (isStopping)
            {
                stop();
            }
        }
    }

    private void snapshot()
    {
        try
        {
            trace("snapshot written=" + process.snapshot());
        }
        catch (final JournalException | StateException failure)
        {
            trace("snapshot failed " + failure.getMessage());
        }
    }

    /** Time passes. */
    private void pass()
    {
        host.advance(random.nextInt(8) * Script.MILLISECOND);
        storage.syncIfDue();
    }

    /** Sources learn what is stored, and may forget it. */
    private void acknowledge()
    {
        for (final String channel : SimulatedProcess.CHANNELS)
        {
            for (int producer = 0; producer < Script.PRODUCERS; producer++)
            {
                final String name = Item.producerName(channel, producer);
                acknowledged.merge(name, process.receivedFrom(channel, name), Math::max);
            }
        }
        trace("acknowledge " + acknowledged);
    }

    private void disturbDisk()
    {
        disk.forceNs(random.nextInt(3) * 4 * Script.MILLISECOND);
        disk.isFull(random.nextBoolean());
        trace("disk full=" + disk.isFull());
    }

    /** Stops the process in an orderly way; afterwards, the newest snapshot may be damaged. */
    private void stopAndDamage()
    {
        disk.isFull(false);
        if (random.nextBoolean())
        {
            receiver.commit();
        }
        stop();
        if (!hasGivenUpRecords && random.nextBoolean())
        {
            damage();
        }
    }

    private void stop()
    {
        trace("stop");
        process.stop();
        process = null;
        isStopping = false;
        host.restart();
        receiver.commit();
    }

    private void damage()
    {
        final String file = storage.damageNewest(damaged);
        if (file != null)
        {
            damaged.add(file);
            trace("damage " + file);
        }
    }

    /** The cache changes. */
    private void change()
    {
        if (profile.usesCache())
        {
            final String symbol = "s" + random.nextInt(Script.SYMBOLS);
            final String name = random.nextInt(3) == 0 ? null : "n" + random.nextInt(3);
            names.put(symbol, name);
            process.name(symbol, name);
            trace("cache " + symbol + '=' + name);
        }
    }

    private void crash()
    {
        process = null;
        isStopping = false;
        final boolean losesPower = profile.losesPower() && random.nextBoolean();
        trace(losesPower ? "POWER LOSS" : "KILL");
        crashes++;
        host.restart();
        receiver.rollBack();
        if (losesPower)
        {
            profile.rules().statements().forEach(each -> losses.computeIfAbsent(each.name(), id -> new ArrayList<>())
                .add(new Expectation.PowerLoss(receiver.rows(each.name()).size(),
                    profile.mayRepeat() ? receiver.unsynced(each.name()) : 0)));
            disk.losePower();
            storage.losePower();
            receiver.synced();
        }
        if (!hasGivenUpRecords && random.nextInt(6) == 0)
        {
            damage();
        }
    }

    /** A thread of the process waits for space: what other threads do meanwhile happens here. */
    private void waitForSpace()
    {
        host.advance(20 * Script.MILLISECOND);
        if (waits++ == MOST_WAITS)
        {
            problems.add("sources wait forever for space");
            host.crashAfter(0);
        }
        if (random.nextInt(4) == 0)
        {
            disk.isFull(false);
        }
        if (random.nextInt(3) == 0)
        {
            receiver.commit();
        }
        if (random.nextInt(3) == 0 && !isWaiting)
        {
            isWaiting = true;
            hasGivenUpRecords = true;
            try
            {
                snapshot();
            }
            finally
            {
                isWaiting = false;
            }
        }
        if (!isEnding && random.nextInt(40) == 0)
        {
            trace("stop while waiting");
            isStopping = true;
            process.stopWaiting();
        }
        // The wait of the thread ends immediately.
        LockSupport.unpark(Thread.currentThread());
    }

    /** Everything is sent: the receiver gets all rows, and the process stops. */
    private void end()
    {
        disk.isFull(false);
        isEnding = true;
        host.crashAfter(-1);
        SimulatedProcess.CHANNELS.forEach(channel -> process.send(List.of(script.end(channel))));
        receiver.commit();
        trace("stop");
        process.stop();
    }

    private void compare() throws Exception
    {
        if (profile.usesCache())
        {
            problems.addAll(CacheRows.problems(script, found, receiver.rows(Statement.CACHE.name())));
            return;
        }
        final Expectation expected = new Expectation(profile.rules(), script);
        for (final Statement statement : profile.rules().statements())
        {
            final boolean isPartitioned = profile.workers() > 1 || !statement.isOrdered() || profile.isReordered();
            final String difference = expected.difference(statement.name(), receiver.rows(statement.name()),
                losses.getOrDefault(statement.name(), List.of()), isPartitioned, !profile.isReordered());
            if (difference != null)
            {
                problems.add(difference);
            }
        }
    }
}
