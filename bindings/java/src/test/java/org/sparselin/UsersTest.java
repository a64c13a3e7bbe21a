package org.sparselin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

class UsersTest {
    @Test
    void countsThreadsThatMeetAtPlacesOfTheirOwn() throws InterruptedException {
        Users users = new Users();
        int early = users.enter();
        Set<Integer> places = ConcurrentHashMap.newKeySet();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 2; ++t)
            threads.add(new Thread(() -> {
                while (places.size() < 2) {
                    int place = users.enter();
                    if (place >= 0) places.add(place);
                    users.leave(place);
                }
            }));
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
        assertEquals(2, places.size());
        assertFalse(users.none());
        int late = users.enter();
        users.leave(early);
        assertFalse(users.none());
        users.leave(late);
        assertTrue(users.none());
    }
}
