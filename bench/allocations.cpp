#include "bench/allocations.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::uint64_t> count{0};

void* take(std::size_t size, std::size_t alignment) {
    count.fetch_add(1, std::memory_order_relaxed);
    // aligned_alloc wants whole multiples; a request for nothing must still give a pointer of its own.
    const std::size_t rounded = (size / alignment + 1) * alignment;
    if (void* memory = std::aligned_alloc(alignment, rounded)) return memory;
    throw std::bad_alloc();
}

}  // namespace

namespace hlg::bench {

std::uint64_t allocations() noexcept { return count.load(std::memory_order_relaxed); }

}  // namespace hlg::bench

// The other forms of new and delete call these.
void* operator new(std::size_t size) { return take(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__); }
void* operator new(std::size_t size, std::align_val_t alignment) { return take(size, static_cast<std::size_t>(alignment)); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
