package io.movr.dataset;

import io.movr.UserError;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that empty a queue together. If one fails, the queue is cleared, and the others end. */
final class LoadWorkers {

    /** The work of one thread until the queue is empty. */
    interface Worker {
        void run() throws SQLException, IOException;
    }

    private LoadWorkers() {}

    /**
     * Runs all workers and waits for them.
     *
     * @throws UserError when this thread is interrupted
     */
    static void run(List<Worker> workers, Queue<?> waiting) throws SQLException, IOException {
        ExecutorService threads = Executors.newFixedThreadPool(workers.size(), task -> {
            Thread thread = new Thread(task, "loader");
            thread.setDaemon(true);
            return thread;
        });
        try {
            List<Future<?>> running = new ArrayList<>();
            for (Worker worker : workers) {
                running.add(threads.submit(() -> {
                    try {
                        worker.run();
                        return null;
                    } catch (SQLException | IOException | RuntimeException failed) {
                        waiting.clear();
                        throw failed;
                    }
                }));
            }
            for (Future<?> worker : running) {
                await(worker);
            }
        } finally {
            waiting.clear();
            threads.shutdownNow();
        }
    }

    private static void await(Future<?> worker) throws SQLException, IOException {
        try {
            worker.get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof SQLException cause) {
                throw cause;
            }
            if (failed.getCause() instanceof IOException cause) {
                throw cause;
            }
            if (failed.getCause() instanceof UserError cause) {
                throw cause;
            }
            throw new IllegalStateException("Loading failed", failed.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new UserError("The load was interrupted", interrupted);
        }
    }
}
